import { Alert, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { Money } from '../figures/money.tsx';
import { useSend } from '../http/use-send.ts';
import { UtrField } from '../orders/utr-field.tsx';
import { expected, type LostMoney, type LostOrder, utrOf } from './lost.ts';

interface JoinDialogProps {
  readonly money: LostMoney;
  readonly order: LostOrder;
  readonly onJoined: () => void;
  readonly onClose: () => void;
}

/** Returns a function that joins a credit to an order and then reloads every queue. */
export function useJoin(): (money: LostMoney, order: LostOrder, utr?: string) => Promise<void> {
  const { t } = useTranslation();
  const { getLostMoney, getLostOrders, getLostPairs, joinLost } = endpoints.lost;
  const send = useSend(getLostMoney, getLostOrders, getLostPairs);
  return async (money, order, utr = utrOf(money, order) ?? undefined) => {
    const { orderCode } = order;
    await send(joinLost, { orderCode, messageId: money.id, utr }, t('lost.joined', { orderCode }));
  };
}

/** Asks before a join that needs a confirmation or a typed UTR. */
export function JoinDialog({ money, order, onJoined, onClose }: JoinDialogProps) {
  const { t } = useTranslation();
  const [form] = Form.useForm<{ utr: string }>();
  const join = useJoin();
  const other = money.resourceId !== order.resourceId;
  const differs = money.amount !== order.payableAmount && money.amount !== order.amount;
  const contradicts = money.utr !== null && order.payerUtr !== null && money.utr !== order.payerUtr;

  const confirm = async () => {
    const typed =
      money.utr === null ? await form.validateFields().catch(() => undefined) : { utr: money.utr };
    if (!typed) return false;
    await join(money, order, typed.utr);
    onJoined();
    return true;
  };

  return (
    <DecisionDialog
      title={t('lost.join')}
      okText={t('lost.join')}
      consequence={t('lost.consequence')}
      facts={[
        [t('orders.orderCode'), order.orderCode],
        [t('orders.amount'), <Money minor={expected(order)} currency={order.currency} />],
        [t('lost.received'), <Money minor={money.amount} currency={money.currency} strong />],
        [t('accounts.account'), money.accountName],
        money.utr !== null && ['UTR', money.utr],
      ]}
      onConfirm={confirm}
      onClose={onClose}
    >
      {other && <Alert type="warning" showIcon title={t('lost.otherAccount')} />}
      {differs && <Alert type="warning" showIcon title={t('lost.amountDiffers')} />}
      {contradicts && <Alert type="warning" showIcon title={t('lost.utrDiffers', { utr: order.payerUtr })} />}
      {money.utr === null && (
        <Form
          form={form}
          layout="vertical"
          requiredMark={false}
          initialValues={{ utr: order.payerUtr ?? '' }}
        >
          <UtrField />
        </Form>
      )}
    </DecisionDialog>
  );
}
