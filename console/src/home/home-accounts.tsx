import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { NothingYet } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { Status } from '../figures/status.tsx';
import type { OutputOf } from '../http/call-types.ts';
import styles from './home.module.css';

type Accounts = NonNullable<OutputOf<typeof endpoints.home.getHome>['accounts']>;

/** State of the receiving accounts, and which open accounts get no orders. */
export function HomeAccounts({ accounts }: { readonly accounts: Accounts }) {
  const { t } = useTranslation();
  return (
    <section className={styles['day']} aria-label={t('home.accounts')}>
      <h2>{t('home.accounts')}</h2>
      <dl className={styles['figures']}>
        {(['total', 'open', 'online'] as const).map((figure) => (
          <div key={figure}>
            <dt>{t(`home.accountFigures.${figure}`)}</dt>
            <dd>
              <strong>{accounts[figure]}</strong>
            </dd>
          </div>
        ))}
      </dl>
      {accounts.stuck.length === 0 ? (
        <NothingYet text={t('home.noneStuck')} />
      ) : (
        <PlainTable
          rows={accounts.stuck}
          keyOf={(account) => account.id}
          columns={[
            { title: t('home.stuck'), cell: (account) => account.name },
            { title: t('orders.supplier'), cell: (account) => account.supplierName },
            {
              title: t('people.state'),
              cell: ({ why }) => <Status tone="warning" label={t(`home.why.${why}`)} />,
            },
            { title: t('home.lastSeen'), cell: (account) => <Moment time={account.lastSeenTime} /> },
          ]}
        />
      )}
    </section>
  );
}
