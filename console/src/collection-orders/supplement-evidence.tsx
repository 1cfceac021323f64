import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import { Section } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { Verdict } from '../figures/verdict.tsx';
import { useCall } from '../http/use-call.ts';
import styles from '../orders/orders.module.css';
import { useMayCall } from '../session/may-call.ts';

interface SupplementEvidenceProps {
  readonly order: CollectionOrderRow;
  readonly onChoose: (utr: string) => void;
}

/** Evidence for the order that one click puts into the field: the UTR that its payer names, and open credits of its account. */
export function SupplementEvidence({ order, onChoose }: SupplementEvidenceProps) {
  const { t } = useTranslation();
  const { getOrderMoney } = endpoints.lost;
  const mayLook = useMayCall()(getOrderMoney);
  const { data } = useCall(getOrderMoney, { orderCode: order.orderCode }, { enabled: mayLook });
  if (!data || (data.payerUtr === null && data.list.length === 0)) return null;
  const choose = (utr: string) => (
    <Button size="small" onClick={() => onChoose(utr)}>
      {t('orders.supplement.use', { utr })}
    </Button>
  );
  return (
    <Section title={t('orders.supplement.evidence')}>
      <ul className={styles['evidence']}>
        {data.payerUtr !== null && (
          <li>
            {t('orders.supplement.payerSays')}
            {choose(data.payerUtr)}
          </li>
        )}
        {data.list.map(({ id, amount, currency, utr, movedTime, verdict, confidence }) => (
          <li key={id}>
            <span>
              <Money minor={amount} currency={currency} strong /> · {movedTime}{' '}
              <Verdict verdict={verdict} confidence={confidence} />
            </span>
            {utr !== null && utr !== data.payerUtr && choose(utr)}
          </li>
        ))}
      </ul>
    </Section>
  );
}
