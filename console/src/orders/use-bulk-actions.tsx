import { FlagOutlined, SendOutlined, UnlockOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { CODES } from '@sangam/contract/codes.ts';
import { ORDER_MARK, type OrderMark } from '@sangam/contract/orders.ts';
import { call } from '../http/client.ts';
import { useNames } from '../language/names.ts';
import type { BulkAction } from '../operator-table/list-definition.ts';
import { oneByOne } from '../operator-table/one-by-one.ts';
import { useMayCall } from '../session/may-call.ts';
import type { AnyOrder } from './order.ts';

const { order: either, payout } = endpoints;

interface BulkChoice {
  /** Whether an automatic process can hold orders of this direction. */
  readonly unlock: boolean;
}

/** The actions on many orders at once that the viewer's role allows. */
export function useBulkActions<Order extends AnyOrder>({ unlock }: BulkChoice): readonly BulkAction<Order>[] {
  const { t } = useTranslation();
  const name = useNames();
  const mayCall = useMayCall();
  const actions: readonly (BulkAction<Order> & { readonly shown: boolean })[] = [
    {
      key: 'unlock',
      shown: unlock && mayCall(payout.unlockOrder),
      label: name('actions', 'unlock'),
      icon: <UnlockOutlined aria-hidden />,
      consequence: t('bulk.unlock'),
      run: async (orders, _values, report) => {
        const byCode = new Map(orders.map((order) => [order.orderCode, order]));
        const { list } = await call(payout.unlockOrder, { orderCodes: [...byCode.keys()] });
        for (const { orderCode, code, msg } of list) {
          const order = byCode.get(orderCode);
          const done = code === CODES.ok.code;
          if (order) report(order, { done, text: done ? t('bulk.done') : msg });
        }
      },
    },
    {
      key: 'callback',
      shown: mayCall(either.callback),
      label: name('actions', 'callback'),
      icon: <SendOutlined aria-hidden />,
      consequence: t('bulk.callback'),
      run: oneByOne(({ orderCode }) => call(either.callback, { orderCode }), t('bulk.done')),
    },
    {
      key: 'updateMark',
      shown: mayCall(either.updateOrderMark),
      label: name('actions', 'updateMark'),
      icon: <FlagOutlined aria-hidden />,
      consequence: t('bulk.mark'),
      fields: [
        {
          kind: 'choice',
          name: 'orderMark',
          label: t('orders.mark'),
          required: true,
          options: Object.values(ORDER_MARK).map((mark) => ({ value: mark, label: name('orderMark', mark) })),
        },
        { kind: 'text', name: 'reason', label: t('orders.reason'), maxLength: 256 },
      ],
      run: oneByOne(
        ({ id }, values) =>
          call(either.updateOrderMark, {
            id,
            orderMark: values['orderMark'] as OrderMark,
            ...(typeof values['reason'] === 'string' ? { reason: values['reason'] } : {}),
          }),
        t('bulk.done'),
      ),
    },
  ];
  return actions.filter((action) => action.shown);
}
