import { Form, Input, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { call } from '../http/client.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { ActionOrder } from './action-order.ts';

interface Evidence {
  readonly utr: string;
  readonly isOffset: boolean;
}

interface SupplementDialogProps {
  readonly order: ActionOrder;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

export function SupplementDialog({ order, onDone, onClose }: SupplementDialogProps) {
  const { t } = useTranslation();
  const [form] = Form.useForm<Evidence>();
  // An order that never had an account can only have been paid outside of one.
  const offsetOnly = order.orderStatusId === COLLECTION_STATUS.allocationFailed;
  const isOffset = Form.useWatch('isOffset', form) ?? offsetOnly;

  const confirm = async () => {
    const evidence = await form.validateFields().catch(() => undefined);
    if (!evidence) return false;
    await call(endpoints.order.supplement, {
      orderCode: order.orderCode,
      isOffsetReplenishmentOrder: evidence.isOffset,
      utr: evidence.utr,
    });
    await onDone();
    return true;
  };

  return (
    <ActionDialog
      title={t('orders.supplement.title')}
      order={order}
      okText={t('actions.supplement')}
      consequence={t(isOffset ? 'orders.supplement.consequenceOffset' : 'orders.supplement.consequence')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Form<Evidence>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ utr: '', isOffset: offsetOnly }}
      >
        <Form.Item
          name="utr"
          label="UTR"
          extra={t('orders.supplement.utrHint')}
          // Spaces and dashes are the server's to drop (contract, fields.ts).
          rules={[
            {
              required: true,
              pattern: /^\s*([A-Za-z0-9][\s-]*){6,30}$/,
              message: t('orders.supplement.utrInvalid'),
            },
          ]}
        >
          <Input autoFocus autoComplete="off" spellCheck={false} maxLength={64} />
        </Form.Item>
        <Form.Item
          name="isOffset"
          label={t('orders.supplement.offset')}
          valuePropName="checked"
          extra={t('orders.supplement.offsetHint')}
        >
          <Switch disabled={offsetOnly} />
        </Form.Item>
      </Form>
    </ActionDialog>
  );
}
