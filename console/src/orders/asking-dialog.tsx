import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { ActionDialog } from './action-dialog.tsx';
import type { Asks, DialogProps } from './action-kinds.ts';
import type { AnyOrder } from './order.ts';

interface Said {
  readonly reason?: string;
}

interface AskingDialogProps<Order> extends DialogProps<Order> {
  readonly action: string;
  readonly consequence: string;
  readonly asks: Asks | undefined;
  readonly submit: (order: Order, said: string) => Promise<unknown>;
}

/** Asks for consent, and for a reason where the call takes one. */
export function AskingDialog<Order extends AnyOrder>(props: AskingDialogProps<Order>) {
  const { t } = useTranslation();
  const [form] = Form.useForm<Said>();
  const { order, asks } = props;

  const confirm = async () => {
    const said = await form.validateFields().catch(() => undefined);
    if (!said) return false;
    await props.submit(order, (said.reason ?? '').trim());
    await props.onDone();
    return true;
  };

  return (
    <ActionDialog
      title={props.action}
      order={order}
      okText={props.action}
      consequence={props.consequence}
      onConfirm={confirm}
      onClose={props.onClose}
    >
      <Form<Said> form={form} layout="vertical" requiredMark={false}>
        {(asks === 'reason' || asks === 'reasonIfAny') && (
          <Form.Item
            name="reason"
            label={t('orders.reason')}
            rules={[{ required: asks === 'reason', whitespace: true, message: t('orders.reasonNeeded') }]}
          >
            <Input autoFocus autoComplete="off" maxLength={256} />
          </Form.Item>
        )}
      </Form>
    </ActionDialog>
  );
}
