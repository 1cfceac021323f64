import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { screenFor } from '@sangam/contract/screens.ts';
import { NothingYet } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useViewer } from '../session/viewer.ts';
import styles from './home.module.css';

type Due = NonNullable<OutputOf<typeof endpoints.home.getHome>['due']>;

/** A merchant's money that is pending settlement, by the day on which it becomes available. */
export function HomeDue({ due }: { readonly due: Due }) {
  const { t, i18n } = useTranslation();
  const { access } = useViewer();
  const { openTab } = useTabLocation();
  const path = screenFor(access, 'finance')?.path;
  const weekday = new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' });
  return (
    <section className={styles['day']} aria-label={t('home.due')}>
      <h2>{t('home.due')}</h2>
      {due.length === 0 ? (
        <NothingYet text={t('home.nothingDue')} />
      ) : (
        <div className={styles['narrow']}>
          <PlainTable
            rows={due}
            keyOf={({ day, currency }) => `${day} ${currency}`}
            columns={[
              {
                title: t('settlement.dueDay'),
                cell: ({ day }) => (
                  <>
                    {day}{' '}
                    <span className={styles['weekday']}>{weekday.format(new Date(`${day}T00:00:00Z`))}</span>
                  </>
                ),
              },
              {
                title: t('home.dueAmount'),
                right: true,
                cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
              },
            ]}
          />
        </div>
      )}
      {path !== undefined && (
        <a
          href={path}
          onClick={(event) => {
            event.preventDefault();
            openTab(path, () => '');
          }}
        >
          {t('home.settled')}
        </a>
      )}
    </section>
  );
}
