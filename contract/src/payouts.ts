import { type PartyActor, type PartyDuty, hasDuty } from './party-roles.ts';
import type { Role } from './roles.ts';

/** Payout order statuses (ids fixed by the family). */
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

/** The product whose payouts a chain makes. */
export const USDT_PAYOUT = 2045;

/**
 * Which status may follow which. Back to 0 lead a claim given back, handed back or expired, and a reselect; 3→6 is a
 * reversal, 3→3 and 6→6 are a callback sent again.
 */
export const PAYOUT_TRANSITIONS: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  0: [1, 4, 5],
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

/** Whose claim an order is under, seen by the one who asks. */
export type PayoutClaim = 'none' | 'mine' | 'other';

export interface PayoutSubject {
  readonly status: PayoutStatus;
  readonly claim: PayoutClaim;
  /** An automatic process (a gateway's dispatch, a batch) holds the order. */
  readonly locked: boolean;
  /** Completed on a supplier's statement alone. */
  readonly unproven: boolean;
  /** Held by an admin or by order of the law. */
  readonly frozen: boolean;
  /** A chain pays it: while it may still do so, only the chain decides how it ended. */
  readonly onChain: boolean;
}

interface ActionRule {
  readonly statuses: readonly PayoutStatus[];
  /** Who may do it whoever has claimed the order. */
  readonly roles: readonly Role[];
  /** The claim under which a supplier may do it; absent = never. */
  readonly supplierClaim?: PayoutClaim;
  /** As the call of it has it: which of a merchant's or supplier's users may take it. */
  readonly duty?: PartyDuty;
  /** Allowed on a frozen order as well: moves no money and gives it to nobody. */
  readonly whenFrozen?: true;
  /** Allowed whatever automatic process holds the order: it moves nothing. */
  readonly whenLocked?: true;
}

const DESK: readonly Role[] = ['superAdmin', 'admin', 'customerService'];
const ADMIN_SIDE: readonly Role[] = ['superAdmin', 'admin'];
const ALL: readonly PayoutStatus[] = Object.values(PAYOUT_STATUS);

/**
 * The one table of payout actions: the server enforces it, the console draws its buttons from the `actions` the server
 * computed with it. A merchant acts on its own orders, a supplier on those of its products, by the claim it holds.
 */
const PAYOUT_ACTION_TABLE: Readonly<Record<PayoutAction, ActionRule>> = {
  claim: { statuses: [0], roles: [], supplierClaim: 'none', duty: 'money' },
  cancelClaim: { statuses: [1], roles: ADMIN_SIDE, supplierClaim: 'mine', duty: 'money', whenFrozen: true },
  // What a gateway or bank called unpaid (9) waits for approval whoever of the desk says so.
  confirmPaid: { statuses: [1, 2, 7, 8, 9], roles: DESK, supplierClaim: 'mine', duty: 'money' },
  acceptProof: { statuses: [3], roles: DESK, whenFrozen: true },
  reject: { statuses: [0, 1, 7, 9], roles: DESK, supplierClaim: 'mine', duty: 'money' },
  reselect: { statuses: [9], roles: DESK },
  // One of the two people whom the signer asks for what passes its limits.
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
  // An admin's reversal waits for approval.
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

/** The duty that a user of a party needs for an action. */
export const payoutActionDuty = (action: PayoutAction) => PAYOUT_ACTION_TABLE[action].duty;

/** The actions somebody may take on a payout now; whose orders they are is the caller's matter (the viewer's scope). */
export function payoutActions(
  actor: PartyActor & { readonly role: Role },
  order: PayoutSubject,
): PayoutAction[] {
  const { role } = actor;
  return PAYOUT_ACTIONS.filter((action) => {
    const rule = PAYOUT_ACTION_TABLE[action];
    if (!hasDuty(actor, rule.duty)) return false;
    if (!rule.statuses.includes(order.status)) return false;
    // What an automatic process holds is moved by nobody else until it is unlocked.
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
