import { useTranslation } from 'react-i18next';
import { Copyable } from '../figures/copyable.tsx';
import { Facts, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';
import type { z } from 'zod';
import type { getDetail } from '@sangam/contract/endpoints/order.ts';
import { RevealPerson } from '../orders/reveal-person.tsx';
import type { OrderVisibility } from '../orders/order-visibility.ts';

interface OrderFactsProps {
  readonly order: z.infer<(typeof getDetail)['output']>['order'];
  readonly visibility: OrderVisibility;
}

export function OrderFacts({ order, visibility }: OrderFactsProps) {
  const { t } = useTranslation();
  const name = useNames();
  const money = (minor: number | null | undefined) => <Money minor={minor} currency={order.currency} />;
  return (
    <Section
      title={t('orders.facts')}
      extra={
        <RevealPerson
          orderCode={order.orderCode}
          values={[['userName', t('orders.userName'), order.userName]]}
        />
      }
    >
      <Facts
        facts={[
          [t('orders.amount'), money(order.amount)],
          [t('orders.payable'), money(order.payableAmount)],
          [t('orders.received'), money(order.currentReceivedMoney)],
          visibility.fees && [t('orders.fee'), money(order.fee)],
          visibility.fees && [t('orders.income'), money(order.income)],
          visibility.commissions && [t('orders.commission'), money(order.supplierCommission)],
          [t('orders.mchOrderNo'), <Copyable text={order.mchOrderNo} limit={28} />],
          visibility.merchants && [t('orders.merchant'), order.merchantName],
          [t('orders.product'), productLabel(name, order.productId, order.productName)],
          visibility.suppliers && [t('orders.supplier'), order.supplierName],
          visibility.accounts && [t('orders.account'), order.accountName],
          [t('orders.identifyCode'), <Copyable text={order.identifyCode} />],
          ['UTR', <Copyable text={order.utr} limit={24} />],
          [t('orders.payerUtr'), <Copyable text={order.payerUtr} limit={24} />],
          [t('orders.userName'), order.userName],
          visibility.origin && [t('orders.ipAddress'), <Copyable text={order.ipAddress} limit={40} />],
          [t('orders.createTime'), <Moment time={order.createTime} exact />],
          [t('orders.allocateTime'), <Moment time={order.allocateTime} exact />],
          [t('orders.expireTime'), <Moment time={order.expireTime} exact />],
          [t('orders.payTime'), <Moment time={order.payTime} exact />],
          [t('orders.subject'), order.subject],
          order.body !== null && [t('orders.body'), order.body],
          order.param1 !== null && ['param1', order.param1],
          order.param2 !== null && ['param2', order.param2],
          visibility.merchants && [t('orders.description'), order.description],
          order.notifyUrl !== null && [t('orders.notifyUrl'), <Copyable text={order.notifyUrl} limit={34} />],
          order.returnUrl !== null && ['returnUrl', <Copyable text={order.returnUrl} limit={34} />],
          order.payUrl !== null && [t('orders.payUrl'), <Copyable text={order.payUrl} limit={34} />],
        ]}
      />
    </Section>
  );
}
