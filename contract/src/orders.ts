import { type PartyActor, type PartyDuty, hasDuty } from './party-roles.ts';
import { ADMINS, type Role } from './roles.ts';

/** Collection order statuses (ids fixed by the family; `getOrderStatusList` serves them). */
export const COLLECTION_STATUS = {
  created: 0,
  allocated: 1,
  timedOut: 2,
  callbackSucceeded: 3,
  callbackFailed: 4,
  allocationFailed: 5,
  paid: 6,
} as const;

export type CollectionStatus = (typeof COLLECTION_STATUS)[keyof typeof COLLECTION_STATUS];

/**
 * Which status may follow which; 1→1 is a reselect, 3→3 and 6→6 a callback sent again.
 */
export const COLLECTION_TRANSITIONS: Readonly<Record<CollectionStatus, readonly CollectionStatus[]>> = {
  0: [1, 5],
  1: [1, 2, 5, 6],
  2: [6],
  3: [3],
  4: [3, 6],
  5: [1, 5, 6],
  6: [3, 4, 6],
};

/** The statuses in which money has been credited: exactly these have a ledger posting. */
export const PAID_STATUSES: readonly CollectionStatus[] = [3, 4, 6];

export const ORDER_MARK = { ordinary: 0, suspicious: 1, test: 2, fillIn: 3, malicious: 4 } as const;

export type OrderMark = (typeof ORDER_MARK)[keyof typeof ORDER_MARK];

/** Marks of a suspicion. Whom it may concern does not learn of it: merchants and suppliers read such an order as an ordinary one. */
const SUSPICIONS: readonly OrderMark[] = [ORDER_MARK.suspicious, ORDER_MARK.malicious];

/** The marks that a viewer is told of and may look for. */
export function marksFor(isOfStaff: boolean): OrderMark[] {
  return Object.values(ORDER_MARK).filter((mark) => isOfStaff || !SUSPICIONS.includes(mark));
}

/** An order's mark as a viewer is told of it. */
export function shownMark(mark: OrderMark, isOfStaff: boolean): OrderMark {
  return marksFor(isOfStaff).includes(mark) ? mark : ORDER_MARK.ordinary;
}

export const COLLECTION_ACTIONS = [
  'supplement',
  'reselect',
  'freeResource',
  'callback',
  'reverse',
  'updateMark',
] as const;

export type CollectionAction = (typeof COLLECTION_ACTIONS)[number];

interface ActionRule {
  readonly statuses: readonly CollectionStatus[];
  readonly roles: readonly Role[];
  /** Needs the second-level password (docs/domain.md#collection-actions). */
  readonly sensitive: boolean;
  /** As the call of it has it: which of a merchant's or supplier's users may take it. */
  readonly duty?: PartyDuty;
  /** Allowed on a frozen order as well: moves no money and gives it to nobody. */
  readonly whenFrozen?: true;
}

const DESK: readonly Role[] = ['superAdmin', 'admin', 'customerService'];

/**
 * The one table of collection order actions: the server enforces it, the console draws its buttons from the
 * `actions` the server computed with it. A supplier or merchant may act on its own orders only (scope).
 */
const COLLECTION_ACTION_TABLE: Readonly<Record<CollectionAction, ActionRule>> = {
  supplement: { statuses: [1, 2, 5], roles: [...DESK, 'supplier'], duty: 'money', sensitive: true },
  reselect: { statuses: [0, 1, 5], roles: DESK, sensitive: false },
  freeResource: {
    statuses: [1, 2],
    roles: [...DESK, 'supplier'],
    duty: 'orders',
    sensitive: false,
    whenFrozen: true,
  },
  callback: {
    statuses: [3, 4, 6],
    roles: [...DESK, 'merchant'],
    duty: 'orders',
    sensitive: false,
    whenFrozen: true,
  },
  // An admin's reversal waits for approval.
  reverse: { statuses: [3, 4, 6], roles: ADMINS, sensitive: true },
  updateMark: { statuses: [0, 1, 2, 3, 4, 5, 6], roles: DESK, sensitive: false, whenFrozen: true },
};

/** Roles that may take an action on some order. */
export const collectionActionRoles = (action: CollectionAction): readonly Role[] =>
  COLLECTION_ACTION_TABLE[action].roles;

/** The duty that a user of a party needs for an action. */
export const collectionActionDuty = (action: CollectionAction) => COLLECTION_ACTION_TABLE[action].duty;

export interface ActionSubject {
  readonly status: CollectionStatus;
  /** An account is (still) held for the order: freeResource has something to free. */
  readonly holdsAccount: boolean;
  /** Reversed orders keep their status. */
  readonly reversed: boolean;
  /** Held by an admin or by order of the law. */
  readonly frozen: boolean;
}

/** Settings the action table depends on. */
export interface ActionSettings {
  readonly canTimeoutSupplement: boolean;
}

/** The actions somebody may take on an order now; ownership is the caller's matter (the viewer's scope). */
export function collectionActions(
  actor: PartyActor & { readonly role: Role },
  order: ActionSubject,
  settings: ActionSettings,
): CollectionAction[] {
  return COLLECTION_ACTIONS.filter((action) => {
    const rule = COLLECTION_ACTION_TABLE[action];
    if (
      !rule.roles.includes(actor.role) ||
      !hasDuty(actor, rule.duty) ||
      !rule.statuses.includes(order.status)
    )
      return false;
    if (order.frozen && !rule.whenFrozen) return false;
    if (action === 'supplement' && order.status === COLLECTION_STATUS.timedOut) {
      return settings.canTimeoutSupplement;
    }
    if (action === 'freeResource') return order.holdsAccount;
    if (action === 'reverse') return !order.reversed;
    return true;
  });
}

/** More new orders than this are 'more': nobody counts them one by one. */
export const MOST_NEW_ORDERS = 100;
