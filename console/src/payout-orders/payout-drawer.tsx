import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { z } from 'zod';
import type { getPayoutDetail, PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { Copyable } from '../figures/copyable.tsx';
import { Facts, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';
import { OrderDrawer, STORY_MS } from '../orders/order-drawer.tsx';
import { payoutReply } from '../orders/replies.ts';
import type { OrderVisibility } from '../orders/order-visibility.ts';
import { PAYOUT_STATUSES } from '../orders/payout-status.ts';
import { RevealPerson } from '../orders/reveal-person.tsx';
import type { OrderActions } from '../orders/use-order-actions.tsx';
import { PayoutSlips } from './payout-slips.tsx';

interface PayoutDrawerProps {
  readonly orderCode: string;
  readonly visibility: OrderVisibility;
  readonly actions: OrderActions<PayoutOrderRow>;
  /** Undefined where the order has a tab of its own. */
  readonly onClose?: (() => void) | undefined;
}

export function PayoutDrawer({ orderCode, visibility, actions, onClose }: PayoutDrawerProps) {
  const detail = useCall(endpoints.payout.getPayoutDetail, { orderCode }, { everyMs: STORY_MS });
  return (
    <OrderDrawer
      orderCode={orderCode}
      detail={detail}
      statuses={PAYOUT_STATUSES}
      visibility={visibility}
      actions={actions}
      amountOf={(order) => order.amount}
      replyOf={payoutReply}
      facts={(order) => <PayoutFacts order={order} visibility={visibility} />}
      onClose={onClose}
    />
  );
}

interface PayoutFactsProps {
  readonly order: z.infer<(typeof getPayoutDetail)['output']>['order'];
  readonly visibility: OrderVisibility;
}

function PayoutFacts({ order, visibility }: PayoutFactsProps) {
  const { t } = useTranslation();
  const name = useNames();
  const money = (minor: number | null | undefined) => <Money minor={minor} currency={order.currency} />;
  /** A fact that is left out where the order has no such value: a product uses only some of the payee's fields. */
  const given = (label: string, text: string | null, limit = 34) =>
    text !== null && ([label, <Copyable text={text} limit={limit} />] as const);
  return (
    <>
      {/* Only the asker and the approvers see the request itself. All users of the supplier see this banner. */}
      {order.handBackWaits && (
        <Alert banner role="status" type="warning" showIcon title={t('payouts.hand.waitsToGoBack')} />
      )}
      <Section
        title={t('payouts.payee')}
        extra={
          <RevealPerson
            orderCode={order.orderCode}
            values={[
              ['userName', t('payouts.payeeName'), order.userName],
              ['cardNumber', t('payouts.cardNumber'), order.cardNumber],
              ['vpa', 'VPA', order.vpa],
              ['usdtAddress', t('payouts.usdtAddress'), order.usdtAddress],
              ['phone', t('payouts.phone'), order.phone],
            ]}
          />
        }
      >
        <Facts
          facts={[
            given(t('payouts.payeeName'), order.userName),
            given(t('payouts.cardNumber'), order.cardNumber),
            given('IFSC', order.ifscCode),
            order.bankName !== null && [t('payouts.bankName'), order.bankName],
            given('VPA', order.vpa),
            given(t('payouts.usdtAddress'), order.usdtAddress, 42),
            given(t('payouts.phone'), order.phone),
          ]}
        />
      </Section>
      <Section title={t('orders.facts')}>
        <Facts
          facts={[
            [t('orders.amount'), money(order.amount)],
            visibility.fees && [t('orders.fee'), money(order.fee)],
            visibility.commissions && [t('orders.commission'), money(order.supplierCommission)],
            [t('orders.mchOrderNo'), <Copyable text={order.mchOrderNo} limit={28} />],
            visibility.merchants && [t('orders.merchant'), order.merchantName],
            [t('orders.product'), productLabel(name, order.productId, order.productName)],
            visibility.suppliers && [t('orders.supplier'), order.supplierName],
            order.payingAccount !== null && [t('payouts.payingAccount'), order.payingAccount.name],
            ['UTR', <Copyable text={order.utr} limit={24} />],
            order.rejectReason !== null && [t('payouts.rejectReason'), order.rejectReason],
            visibility.merchants && given(t('payouts.gatewayReference'), order.gatewayReference ?? null),
            visibility.origin && [t('orders.ipAddress'), <Copyable text={order.ipAddress} limit={40} />],
            [t('orders.createTime'), <Moment time={order.createTime} exact />],
            visibility.accounts && [t('payouts.claimTime'), <Moment time={order.claimTime} exact />],
            order.claimExpireTime !== null && [
              t('payouts.claimExpireTime'),
              <Moment time={order.claimExpireTime} exact />,
            ],
            [t('payouts.finishTime'), <Moment time={order.finishTime} exact />],
            given('param1', order.param1),
            given('param2', order.param2),
            given(t('orders.notifyUrl'), order.notifyUrl),
          ]}
        />
      </Section>
      {/* Keyed by the number of slips, so that a new slip reloads them. */}
      <PayoutSlips key={order.slips} orderCode={order.orderCode} count={order.slips} />
    </>
  );
}
