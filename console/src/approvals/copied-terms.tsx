import { useTranslation } from 'react-i18next';
import type { CopiedTerms as Copied } from '@sangam/contract/endpoints/terms.ts';
import { Money } from '../figures/money.tsx';
import { percentText } from '../figures/record-values.ts';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';
import styles from './approvals.module.css';

/** The terms that one request sets for several products, one row per product. */
export function CopiedTerms({ terms }: { readonly terms: Copied['terms'] }) {
  const { t } = useTranslation();
  const name = useNames();
  return (
    <ul className={styles['terms']}>
      {terms.map(({ productId, currency, ratePpm, fixedFee, minAmount, maxAmount, ...limits }) => (
        <li key={productId}>
          <strong>{`${productId} ${productLabel(name, productId, '')}`}</strong>
          <span className="figures">
            {`${percentText(ratePpm)} + `}
            <Money minor={fixedFee} currency={currency} />
          </span>
          <span className="figures">
            <Money minor={minAmount} currency={currency} whole />
            {' – '}
            <Money minor={maxAmount} currency={currency} whole />
          </span>
          {limits.dailyCountLimit !== null && (
            <span>{`${t('approvalFields.dailyCountLimit')}: ${limits.dailyCountLimit}`}</span>
          )}
          {limits.dailyAmountLimit !== null && (
            <span>
              {`${t('approvalFields.dailyAmountLimit')}: `}
              <Money minor={limits.dailyAmountLimit} currency={currency} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
