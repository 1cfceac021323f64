import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { screenFor } from '@sangam/contract/screens.ts';
import { NothingYet } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { Status } from '../figures/status.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useViewer } from '../session/viewer.ts';
import styles from './home.module.css';

const LIVE_MS = 15_000;
const MOST = 5;
/** How many open alerts are read. Notices are left out afterwards, so more are read than shown. */
const LOOKED_AT = 30;
const TONES = { critical: 'negative', warning: 'warning', notice: 'quiet' } as const;

/** The newest open alerts of the kinds that the role sees, without notices. Only for staff. */
export function HomeUnusual() {
  const { t } = useTranslation();
  const name = useNames();
  const { access } = useViewer();
  const { openTab } = useTabLocation();
  const { data } = useCall(
    endpoints.alert.getAlerts,
    { open: true, pageSize: LOOKED_AT },
    { everyMs: LIVE_MS },
  );
  const path = screenFor(access, 'systemAlerts')?.path;
  if (!data) return null;
  const shown = data.list.filter(({ severity }) => severity !== 'notice').slice(0, MOST);
  return (
    <section className={styles['day']} aria-label={t('home.unusual')}>
      <h2>{t('home.unusual')}</h2>
      {shown.length === 0 ? (
        <NothingYet text={t('home.nothingUnusual')} />
      ) : (
        <PlainTable
          rows={shown}
          keyOf={(alert) => alert.id}
          columns={[
            {
              title: t('alertList.severity'),
              cell: ({ severity }) => <Status tone={TONES[severity]} label={name('severities', severity)} />,
            },
            { title: t('home.what'), cell: ({ text }) => <span className={styles['sentence']}>{text}</span> },
            { title: t('home.sinceWhen'), cell: ({ openTime }) => <Moment time={openTime} /> },
          ]}
        />
      )}
      {data.total > shown.length && path !== undefined && (
        <a
          href={`${path}?o=true`}
          onClick={(event) => {
            event.preventDefault();
            openTab(path, () => '?o=true');
          }}
        >
          {t('home.allUnusual', { count: data.total })}
        </a>
      )}
    </section>
  );
}
