import type { Currency } from '@sangam/contract/money.ts';
import { useTranslation } from 'react-i18next';
import { useNames } from '../language/names.ts';
import styles from './figures.module.css';
import { Money } from './money.tsx';
import { TextButton } from './text-button.tsx';

interface BalancesProps {
  readonly balances: readonly {
    readonly currency: Currency;
    readonly bucket: string;
    readonly balance: number;
  }[];
  /** Opens the explanation of a balance. */
  readonly onExplain?: (balance: { readonly currency: Currency; readonly bucket: string }) => void;
}

/** An owner's balances, one line per bucket. Empty buckets are left out. */
export function Balances({ balances, onExplain }: BalancesProps) {
  const { t } = useTranslation();
  const name = useNames();
  const filled = balances.filter(({ balance }) => balance !== 0);
  if (filled.length === 0) return <span className={styles['absent']}>–</span>;
  return (
    <span className={styles['balances']}>
      {filled.map(({ currency, bucket, balance }) => (
        <span key={`${currency} ${bucket}`}>
          <span className={styles['bucket']}>{name('buckets', bucket)}</span>
          <Money minor={balance} currency={currency} />
          {onExplain && (
            <TextButton
              text={t('explain.why')}
              label={t('explain.whyOf', { bucket: name('buckets', bucket), currency })}
              onClick={() => onExplain({ currency, bucket })}
            />
          )}
        </span>
      ))}
    </span>
  );
}
