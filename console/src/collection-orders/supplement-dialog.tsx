import { Form, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { paysByUpi } from '@sangam/contract/products.ts';
import { call } from '../http/client.ts';
import { ActionDialog } from '../orders/action-dialog.tsx';
import type { DialogProps } from '../orders/action-kinds.ts';
import { UtrField } from '../orders/utr-field.tsx';
import { SupplementEvidence } from './supplement-evidence.tsx';
import { UtrHolders } from './utr-holders.tsx';

interface Evidence {
  readonly utr: string;
  readonly isOffset: boolean;
}

export function SupplementDialog({ order, onDone, onClose }: DialogProps<CollectionOrderRow>) {
  const { t } = useTranslation();
  const [form] = Form.useForm<Evidence>();
  // An order without any account can only have been paid outside one.
  const offsetOnly = order.orderStatusId === COLLECTION_STATUS.allocationFailed;
  const isOffset = Form.useWatch('isOffset', form) ?? offsetOnly;

  const confirm = async () => {
    const evidence = await form.validateFields().catch(() => undefined);
    if (!evidence) return false;
    await call(endpoints.order.supplement, {
      orderCode: order.orderCode,
      version: order.version,
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
      explain={(refusal) => <UtrHolders refusal={refusal} />}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Form<Evidence>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ utr: '', isOffset: offsetOnly }}
      >
        <SupplementEvidence order={order} onChoose={(utr) => form.setFieldValue('utr', utr)} />
        <UtrField byUpi={paysByUpi(order.productId)} />
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
