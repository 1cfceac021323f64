import { Form, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import { call } from '../http/client.ts';
import { ActionDialog } from '../orders/action-dialog.tsx';
import type { DialogProps } from '../orders/action-kinds.ts';

interface Said {
  readonly isOffset: boolean;
}

/** Releases the order's account. The history records whether the money is expected outside that account. */
export function FreeDialog({ order, onDone, onClose }: DialogProps<CollectionOrderRow>) {
  const { t } = useTranslation();
  const [form] = Form.useForm<Said>();
  return (
    <ActionDialog
      title={t('actions.freeResource')}
      order={order}
      okText={t('actions.freeResource')}
      consequence={t('consequences.collection.freeResource')}
      onConfirm={async () => {
        const { isOffset } = form.getFieldsValue();
        await call(endpoints.order.freeResource, {
          orderCode: order.orderCode,
          version: order.version,
          isOffsetReplenishmentOrder: isOffset,
        });
        await onDone();
        return true;
      }}
      onClose={onClose}
    >
      <Form<Said> form={form} layout="vertical" initialValues={{ isOffset: false }}>
        <Form.Item
          name="isOffset"
          label={t('orders.supplement.offset')}
          valuePropName="checked"
          extra={t('orders.freeOffsetHint')}
        >
          <Switch />
        </Form.Item>
      </Form>
    </ActionDialog>
  );
}
