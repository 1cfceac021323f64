import {
  CheckSquareOutlined,
  FlagOutlined,
  RetweetOutlined,
  RollbackOutlined,
  SendOutlined,
  UnlockOutlined,
} from '@ant-design/icons';
import { endpoints } from 'virtual:endpoints';
import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import type { CollectionAction } from '@sangam/contract/orders.ts';
import { call } from '../http/client.ts';
import type { ActionKinds } from '../orders/action-kinds.ts';
import { MarkDialog } from '../orders/mark-dialog.tsx';
import { useOrderActions } from '../orders/use-order-actions.tsx';
import { FreeDialog } from './free-dialog.tsx';
import { SupplementDialog } from './supplement-dialog.tsx';

const { order: calls } = endpoints;

const KINDS: ActionKinds<CollectionAction, CollectionOrderRow> = {
  supplement: { icon: <CheckSquareOutlined aria-hidden />, primary: true, Dialog: SupplementDialog },
  reselect: {
    icon: <RetweetOutlined aria-hidden />,
    submit: ({ orderCode, version }) => call(calls.reselect, { orderCode, version }),
  },
  freeResource: { icon: <UnlockOutlined aria-hidden />, Dialog: FreeDialog },
  callback: {
    icon: <SendOutlined aria-hidden />,
    atOnce: true,
    submit: ({ orderCode }) => call(calls.callback, { orderCode }),
  },
  reverse: {
    icon: <RollbackOutlined aria-hidden />,
    asks: 'reasonIfAny',
    submit: ({ orderCode, version }, reason) =>
      call(calls.reverse, { orderCode, version, ...(reason ? { reason } : {}) }),
  },
  updateMark: { icon: <FlagOutlined aria-hidden />, Dialog: MarkDialog },
};

const STALE = [calls.getList, calls.getDetail, calls.getStatusSummary];

export const useCollectionActions = () => useOrderActions(KINDS, 'consequences.collection', STALE);
