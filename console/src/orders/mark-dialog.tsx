import { Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { ORDER_MARK, type OrderMark } from '@sangam/contract/orders.ts';
import { call } from '../http/client.ts';
import { useNames } from '../language/names.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { DialogProps } from './action-kinds.ts';
import type { AnyOrder } from './order.ts';

interface Marking {
  readonly orderMark: OrderMark;
  readonly reason: string;
}

export function MarkDialog({ order, onDone, onClose }: DialogProps<AnyOrder>) {
  const { t } = useTranslation();
  const name = useNames();
  const [form] = Form.useForm<Marking>();

  const confirm = async () => {
    const { orderMark, reason } = form.getFieldsValue();
    await call(endpoints.order.updateOrderMark, {
      id: order.id,
      orderMark,
      ...(reason.trim() ? { reason: reason.trim() } : {}),
    });
    await onDone();
    return true;
  };

  return (
    <ActionDialog
      title={t('orders.marking.title')}
      order={order}
      okText={t('actions.updateMark')}
      consequence={t('orders.marking.consequence')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Form<Marking>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ orderMark: order.orderMark, reason: '' }}
      >
        <Form.Item name="orderMark" label={t('orders.mark')}>
          <Select<OrderMark>
            options={Object.values(ORDER_MARK).map((mark) => ({
              value: mark,
              label: name('orderMark', mark),
            }))}
          />
        </Form.Item>
        <Form.Item name="reason" label={t('orders.reason')}>
          <Input maxLength={256} autoComplete="off" />
        </Form.Item>
      </Form>
    </ActionDialog>
  );
}
