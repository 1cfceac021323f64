import { type PartyActor, type PartyDuty, hasDuty } from './party-roles.ts';
import type { Role } from './roles.ts';

/** Payout order statuses (the API family fixes the ids). */
export const PAYOUT_STATUS = {
  waiting: 0,
  preparing: 1,
  inProgress: 2,
  completed: 3,
  cancelled: 4,
  rejecting: 5,
  rejected: 6,
  toBeConfirmed: 7,
  submitted: 8,
  processingError: 9,
} as const;

export type PayoutStatus = (typeof PAYOUT_STATUS)[keyof typeof PAYOUT_STATUS];

/** An admin may allow a supplier so many open claims at most. Each keeps a payee waiting. */
export const MOST_OPEN_CLAIMS = 200;

/** The product whose payouts are paid on a chain. */
export const USDT_PAYOUT = 2045;

/**
 * Which status may follow which. A payout goes back to 0 when its claim is cancelled or handed back, when its send or batch
 * gives it back, or by a reselect. 0→9: the database was restored, and the payout may have been paid since. 3→6 is a reversal;
 * 3→3 and 6→6 are a callback sent again.
 */
export const PAYOUT_TRANSITIONS: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  0: [1, 4, 5, 9],
  1: [0, 3, 5, 7, 8, 9],
  2: [3, 7, 9],
  3: [3, 6],
  4: [],
  5: [6],
  6: [6],
  7: [0, 3, 5, 9],
  8: [2, 3, 7, 9],
  9: [0, 3, 5],
};

export const PAYOUT_ACTIONS = [
  'claim',
  'cancelClaim',
  'confirmPaid',
  'acceptProof',
  'reject',
  'reselect',
  'release',
  'unlock',
  'cancel',
  'callback',
  'reverse',
  'updateMark',
] as const;

export type PayoutAction = (typeof PAYOUT_ACTIONS)[number];

/** Whether the order is claimed, as the viewer sees it. */
export type PayoutClaim = 'none' | 'mine' | 'other';

export interface PayoutSubject {
  readonly status: PayoutStatus;
  readonly claim: PayoutClaim;
  /** An automatic process (a gateway's send, a batch) holds the order. */
  readonly locked: boolean;
  /** Completed without proof. */
  readonly unproven: boolean;
  /** Frozen by an admin or by a legal hold. */
  readonly frozen: boolean;
  /** A chain pays it. While the chain may still pay it, only the chain decides how it ends. */
  readonly onChain: boolean;
}

interface ActionRule {
  readonly statuses: readonly PayoutStatus[];
  /** The roles that may do it, whoever has claimed the order. */
  readonly roles: readonly Role[];
  /** The claim with which a supplier may do it; absent: never. */
  readonly supplierClaim?: PayoutClaim;
  /** The duty of its call: what a further user of a merchant or supplier needs to take it. */
  readonly duty?: PartyDuty;
  /** Also allowed on a frozen order, because the action moves no money and gives the order to nobody. */
  readonly whenFrozen?: true;
  /** Also allowed while an automatic process holds the order, because the action moves nothing. */
  readonly whenLocked?: true;
}

const DESK: readonly Role[] = ['superAdmin', 'admin', 'customerService'];
const ADMIN_SIDE: readonly Role[] = ['superAdmin', 'admin'];
const ALL: readonly PayoutStatus[] = Object.values(PAYOUT_STATUS);

/**
 * The one table of payout actions. The server enforces it and computes `actions` with it, from which the console draws its
 * buttons. Merchants act on their own orders; suppliers act on orders of their products, by the claim they hold.
 */
const PAYOUT_ACTION_TABLE: Readonly<Record<PayoutAction, ActionRule>> = {
  claim: { statuses: [0], roles: [], supplierClaim: 'none', duty: 'money' },
  cancelClaim: { statuses: [1], roles: ADMIN_SIDE, supplierClaim: 'mine', duty: 'money', whenFrozen: true },
  // From 9 (a gateway or bank called it unpaid, or nobody knows) the confirmation waits for approval, whoever of the desk asks.
  confirmPaid: { statuses: [1, 2, 7, 8, 9], roles: DESK, supplierClaim: 'mine', duty: 'money' },
  acceptProof: { statuses: [3], roles: DESK, whenFrozen: true },
  reject: { statuses: [0, 1, 7, 9], roles: DESK, supplierClaim: 'mine', duty: 'money' },
  reselect: { statuses: [9], roles: DESK },
  // For one of the two people whom the signer asks to release a payout beyond its limits.
  release: { statuses: [9], roles: ADMIN_SIDE },
  unlock: { statuses: ALL, roles: DESK, whenFrozen: true, whenLocked: true },
  cancel: { statuses: [0], roles: [...ADMIN_SIDE, 'merchant'], duty: 'money' },
  callback: {
    statuses: [3, 6],
    roles: [...DESK, 'merchant'],
    duty: 'orders',
    whenFrozen: true,
    whenLocked: true,
  },
  // Waits for approval, a superAdmin's too.
  reverse: { statuses: [3], roles: ADMIN_SIDE },
  updateMark: { statuses: ALL, roles: DESK, whenFrozen: true, whenLocked: true },
};

const ON_CHAIN: readonly PayoutStatus[] = [
  PAYOUT_STATUS.preparing,
  PAYOUT_STATUS.inProgress,
  PAYOUT_STATUS.toBeConfirmed,
  PAYOUT_STATUS.submitted,
];

/** Roles that may take an action on some payout. */
export function payoutActionRoles(action: PayoutAction): readonly Role[] {
  const { roles, supplierClaim } = PAYOUT_ACTION_TABLE[action];
  return supplierClaim === undefined ? roles : [...roles, 'supplier'];
}

/** The duty that a further user of a party needs for an action. */
export const payoutActionDuty = (action: PayoutAction) => PAYOUT_ACTION_TABLE[action].duty;

/** The actions that a user may take on a payout now. The caller must check that the viewer may see the order (scope). */
export function payoutActions(
  actor: PartyActor & { readonly role: Role },
  order: PayoutSubject,
): PayoutAction[] {
  const { role } = actor;
  return PAYOUT_ACTIONS.filter((action) => {
    const rule = PAYOUT_ACTION_TABLE[action];
    if (!hasDuty(actor, rule.duty)) return false;
    if (!rule.statuses.includes(order.status)) return false;
    // Nobody else acts on a payout that an automatic process holds until it is unlocked.
    if (order.locked ? !rule.whenLocked : action === 'unlock') return false;
    if (order.frozen && !rule.whenFrozen) return false;
    if (
      order.onChain &&
      (action === 'confirmPaid' || (action === 'reject' && ON_CHAIN.includes(order.status)))
    )
      return false;
    if (action === 'release' && !order.onChain) return false;
    if (action === 'acceptProof' && !order.unproven) return false;
    if (role === 'supplier' && action === 'confirmPaid' && order.status === PAYOUT_STATUS.processingError)
      return false;
    if (role === 'supplier') return rule.supplierClaim === order.claim;
    if (action === 'cancelClaim' && order.claim === 'none') return false;
    return rule.roles.includes(role);
  });
}
