import { Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { call } from '../http/client.ts';
import { useCall } from '../http/use-call.ts';
import { ActionDialog } from '../orders/action-dialog.tsx';
import type { DialogProps } from '../orders/action-kinds.ts';
import { UtrField } from '../orders/utr-field.tsx';
import { useMayCall } from '../session/may-call.ts';

interface Said {
  readonly utr: string;
  readonly accountId?: string;
}

/** Asks by which UTR the payee was paid. A supplier also says from which of its accounts. */
export function ConfirmPaidDialog({ order, onDone, onClose }: DialogProps<PayoutOrderRow>) {
  const { t } = useTranslation();
  const mayCall = useMayCall();
  const [form] = Form.useForm<Said>();
  const { orderCode, version } = order;
  const { getPaying, confirmPaid } = endpoints.payout;
  const isSupplier = mayCall(getPaying);
  const { data } = useCall(getPaying, { orderCode }, { enabled: isSupplier });
  const accounts = data?.accounts ?? [];
  const likely = data?.accountId ?? (accounts.length === 1 ? accounts[0]!.accountId : undefined);

  const confirm = async () => {
    const said = await form.validateFields().catch(() => undefined);
    if (!said || (isSupplier && !data)) return false;
    const { utr, accountId } = said;
    await call(confirmPaid, { orderCode, version, utr: utr.trim(), ...(accountId ? { accountId } : {}) });
    await onDone();
    return true;
  };

  return (
    <ActionDialog
      title={t('actions.confirmPaid')}
      order={order}
      okText={t('actions.confirmPaid')}
      consequence={t('consequences.payout.confirmPaid')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Form<Said> form={form} layout="vertical" requiredMark={false}>
        <UtrField />
        {accounts.length > 0 && (
          <Form.Item
            name="accountId"
            label={t('payouts.payingAccount')}
            initialValue={likely}
            rules={[{ required: true, message: t('payouts.choosePayingAccount') }]}
          >
            <Select
              showSearch={{ optionFilterProp: 'label' }}
              options={accounts.map(({ accountId, name }) => ({ value: accountId, label: name }))}
            />
          </Form.Item>
        )}
      </Form>
    </ActionDialog>
  );
}
