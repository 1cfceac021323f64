import { formatMinor } from '@sangam/contract/money.ts';
import { Alert, Descriptions, Skeleton, Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Money } from '../figures/money.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import styles from './account.module.css';

const EVERY_MS = 15_000;

/** Above the list of accounts: for each payout wallet what the signer may still sign today, and the wallet's balance. */
export function UsdtWallets() {
  const { t } = useTranslation();
  const name = useNames();
  const { data, error } = useCall(
    endpoints.usdt.getUsdtWallets,
    {},
    { everyMs: EVERY_MS, keepPrevious: true },
  );
  return (
    <div className={styles['wallets']} role="group" aria-label={t('usdtWallets.title')}>
      {error && <Alert type="warning" showIcon title={error.message} />}
      {!data && !error && <Skeleton active title paragraph={{ rows: 2 }} />}
      {data?.list.map((wallet) => (
        <Descriptions
          key={wallet.accountId}
          size="small"
          column={{ xs: 1, sm: 2, lg: 4 }}
          title={
            <>
              <span className="figures">{wallet.address}</span>{' '}
              <Tag color={wallet.state === 'ready' ? 'success' : 'error'}>
                {name('walletState', wallet.state)}
              </Tag>
            </>
          }
          items={[
            { label: t('usdtWallets.holds'), children: <Money minor={wallet.usdt} currency="USDT" /> },
            // Sun is a millionth of a TRX. USDT has the same number of decimals, so its formatting fits.
            {
              label: t('usdtWallets.trx'),
              children: wallet.trx === null ? '–' : formatMinor(BigInt(wallet.trx), 'USDT'),
            },
            { label: t('usdtWallets.one'), children: <Money minor={wallet.oneLimit} currency="USDT" /> },
            { label: t('usdtWallets.day'), children: <Money minor={wallet.dayLimit} currency="USDT" /> },
            { label: t('usdtWallets.used'), children: <Money minor={wallet.usedToday} currency="USDT" /> },
            {
              label: t('usdtWallets.released'),
              children: <Money minor={wallet.releasedToday} currency="USDT" />,
            },
          ]}
        />
      ))}
    </div>
  );
}
