import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { SignerCodeField } from '../dialogs/signer-code-field.tsx';
import { call } from '../http/client.ts';
import { ActionDialog } from '../orders/action-dialog.tsx';
import type { DialogProps } from '../orders/action-kinds.ts';

/** The release by the first of two people. The signer wants two for a payout above its limits. */
export function ReleaseDialog({ order, onDone, onClose }: DialogProps<PayoutOrderRow>) {
  const { t } = useTranslation();
  const [form] = Form.useForm<{ readonly code: string }>();

  const confirm = async () => {
    const said = await form.validateFields().catch(() => undefined);
    if (!said) return false;
    await call(endpoints.payout.releasePayout, {
      orderCode: order.orderCode,
      version: order.version,
      code: said.code.trim(),
    });
    await onDone();
    return true;
  };

  return (
    <ActionDialog
      title={t('actions.release')}
      order={order}
      okText={t('actions.release')}
      consequence={t('consequences.payout.release')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Form form={form} layout="vertical" requiredMark={false} initialValues={{ code: '' }}>
        <SignerCodeField autoFocus />
      </Form>
    </ActionDialog>
  );
}
