import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';
import { type Account, OPEN, type ProductOfAccount, labelOf } from './account.ts';
import styles from './account.module.css';

interface ProductChipsProps {
  readonly account: Account;
  /** Called with the product of a clicked chip; undefined where the viewer may change nothing about it. */
  readonly onChoose: ((product: ProductOfAccount) => void) | undefined;
}

/** The products of an account, each with its state. */
export function ProductChips({ account, onChoose }: ProductChipsProps) {
  const { t } = useTranslation();
  const name = useNames();
  if (account.products.length === 0) return '–';
  return (
    <ul className={styles['chips']}>
      {account.products.map((product) => {
        const isOpen = product.state === OPEN;
        const label = productLabel(name, product.productId, product.productName);
        const text = isOpen ? label : `${label} · ${name('resourceStates', product.state)}`;
        const content = (
          <>
            {isOpen ? <CheckCircleFilled aria-hidden /> : <MinusCircleOutlined aria-hidden />}
            {text}
          </>
        );
        const look = `${styles['chip']} ${styles[isOpen ? 'chipOpen' : 'chipClosed']}`;
        return (
          <li key={product.productId}>
            {onChoose ? (
              <button
                type="button"
                className={look}
                aria-label={t('accounts.changeOf', { product: text, account: labelOf(account) })}
                onClick={(event) => {
                  // A click on the chip must not open the row as well.
                  event.stopPropagation();
                  onChoose(product);
                }}
              >
                {content}
              </button>
            ) : (
              <span className={look}>{content}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
