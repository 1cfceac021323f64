import {
  AuditOutlined,
  CheckSquareOutlined,
  CloseCircleOutlined,
  FlagOutlined,
  ImportOutlined,
  RetweetOutlined,
  RollbackOutlined,
  SafetyOutlined,
  SendOutlined,
  StopOutlined,
  UndoOutlined,
  UnlockOutlined,
} from '@ant-design/icons';
import { endpoints } from 'virtual:endpoints';
import { CODES } from '@sangam/contract/codes.ts';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import type { PayoutAction } from '@sangam/contract/payouts.ts';
import { CallError } from '../http/call-error.ts';
import { call } from '../http/client.ts';
import type { ActionKinds } from '../orders/action-kinds.ts';
import { MarkDialog } from '../orders/mark-dialog.tsx';
import { ConfirmPaidDialog } from './confirm-paid-dialog.tsx';
import { ReleaseDialog } from './release-dialog.tsx';
import { useOrderActions } from '../orders/use-order-actions.tsx';

const { order: either, payout: calls } = endpoints;

const KINDS: ActionKinds<PayoutAction, PayoutOrderRow> = {
  claim: {
    icon: <ImportOutlined aria-hidden />,
    primary: true,
    submit: ({ id, version }) => call(calls.claimOrder, { orderId: id, version }),
  },
  confirmPaid: {
    icon: <CheckSquareOutlined aria-hidden />,
    primary: true,
    Dialog: ConfirmPaidDialog,
  },
  cancelClaim: {
    icon: <UndoOutlined aria-hidden />,
    submit: ({ id, version }) => call(calls.cancelClaim, { orderId: id, version }),
  },
  acceptProof: {
    icon: <AuditOutlined aria-hidden />,
    asks: 'reason',
    submit: ({ orderCode, version }, reason) => call(calls.acceptProof, { orderCode, version, reason }),
  },
  reject: {
    icon: <CloseCircleOutlined aria-hidden />,
    asks: 'reason',
    submit: ({ orderCode, version }, rejectReason) =>
      call(calls.reject, { orderCode, version, rejectReason }),
  },
  reselect: {
    icon: <RetweetOutlined aria-hidden />,
    submit: ({ orderCode, version }) => call(either.reselect, { orderCode, version }),
  },
  release: { icon: <SafetyOutlined aria-hidden />, Dialog: ReleaseDialog },
  unlock: { icon: <UnlockOutlined aria-hidden />, submit: ({ orderCode }) => unlock(orderCode) },
  cancel: {
    icon: <StopOutlined aria-hidden />,
    submit: ({ orderCode, version }) => call(calls.cancelPayout, { orderCode, version }),
  },
  callback: {
    icon: <SendOutlined aria-hidden />,
    atOnce: true,
    submit: ({ orderCode }) => call(either.callback, { orderCode }),
  },
  reverse: {
    icon: <RollbackOutlined aria-hidden />,
    asks: 'reasonIfAny',
    submit: ({ orderCode, version }, reason) =>
      call(either.reverse, { orderCode, version, ...(reason ? { reason } : {}) }),
  },
  updateMark: { icon: <FlagOutlined aria-hidden />, Dialog: MarkDialog },
};

/** The call takes a list of payouts and refuses each by itself. */
async function unlock(orderCode: string): Promise<void> {
  const [outcome] = (await call(calls.unlockOrder, { orderCodes: [orderCode] })).list;
  if (outcome && outcome.code !== CODES.ok.code) throw new CallError(outcome.code, outcome.msg);
}

const STALE = [calls.getPayoutList, calls.getPayoutDetail, calls.getPayoutStatusSummary];

export const usePayoutActions = () => useOrderActions(KINDS, 'consequences.payout', STALE);
