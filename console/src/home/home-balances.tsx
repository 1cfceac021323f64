import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Money } from '../figures/money.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import styles from './home.module.css';

const LIVE_MS = 15_000;
/** The order of the buckets: available money first, debt last. */
const BUCKET_ORDER = [
  'available',
  'pending',
  'frozen',
  'deposit',
  'held',
  'commission',
  'revenue',
  'suspense',
  'external',
  'debt',
];
const OWNER_KINDS = ['merchant', 'supplier', 'platform'] as const;

/** The viewer's own balances; for staff the sums over all owners. */
export function HomeBalances() {
  const { t } = useTranslation();
  const name = useNames();
  const { data, error } = useCall(endpoints.user.getTotalBalance, {}, { everyMs: LIVE_MS });
  if (!data)
    return error && <Alert type="error" showIcon title={`${t('home.balances')}: ${error.message}`} />;
  return (
    <section className={styles['day']} aria-label={t('home.balances')}>
      <h2>{t('home.balances')}</h2>
      {data.list.length === 0 && <p className={styles['nothing']}>{t('home.noBalances')}</p>}
      <div className={styles['balances']}>
        {OWNER_KINDS.map((kind) => {
          const balances = data.list
            .filter((balance) => balance.ownerKind === kind)
            .toSorted((a, b) => BUCKET_ORDER.indexOf(a.bucket) - BUCKET_ORDER.indexOf(b.bucket));
          if (balances.length === 0) return null;
          return (
            <div key={kind}>
              <h3 className={styles['owner']}>{name('ownerKinds', kind)}</h3>
              <dl>
                {balances.map((balance) => (
                  <div key={`${balance.currency} ${balance.bucket}`}>
                    <dt>{name('buckets', balance.bucket)}</dt>
                    <dd>
                      <Money minor={balance.balance} currency={balance.currency} />
                    </dd>
                  </div>
                ))}
              </dl>
            </div>
          );
        })}
      </div>
    </section>
  );
}
