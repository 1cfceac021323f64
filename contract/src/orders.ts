import { type PartyActor, type PartyDuty, hasDuty } from './party-roles.ts';
import { ADMINS, type Role } from './roles.ts';

/** Collection order statuses (the API family fixes the ids; `getOrderStatusList` serves them). */
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

/** Which status may follow which. 1→1 is a reselect; 3→3 and 6→6 are a callback sent again. */
export const COLLECTION_TRANSITIONS: Readonly<Record<CollectionStatus, readonly CollectionStatus[]>> = {
  0: [1, 5],
  1: [1, 2, 5, 6],
  2: [6],
  3: [3],
  4: [3, 6],
  5: [1, 5, 6],
  6: [3, 4, 6],
};

/** The statuses in which money is credited: exactly these orders have a posting. */
export const PAID_STATUSES: readonly CollectionStatus[] = [3, 4, 6];

export const ORDER_MARK = { ordinary: 0, suspicious: 1, test: 2, fillIn: 3, malicious: 4 } as const;

export type OrderMark = (typeof ORDER_MARK)[keyof typeof ORDER_MARK];

/** Marks of a suspicion. Merchants and suppliers must not learn of it: they see such an order as an ordinary one. */
const SUSPICIONS: readonly OrderMark[] = [ORDER_MARK.suspicious, ORDER_MARK.malicious];

/** The marks that a viewer sees and may filter by. */
export function marksFor(isOfStaff: boolean): OrderMark[] {
  return Object.values(ORDER_MARK).filter((mark) => isOfStaff || !SUSPICIONS.includes(mark));
}

/** An order's mark as a viewer sees it. */
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
  /** The duty of its call: what a further user of a merchant or supplier needs to take it. */
  readonly duty?: PartyDuty;
  /** Also allowed on a frozen order, because the action moves no money and gives the order to nobody. */
  readonly whenFrozen?: true;
}

const DESK: readonly Role[] = ['superAdmin', 'admin', 'customerService'];

/**
 * The one table of collection order actions. The server enforces it and computes `actions` with it, from which the console
 * draws its buttons. Suppliers and merchants act on their own orders only (scope).
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
  // Waits for approval, a superAdmin's too.
  reverse: { statuses: [3, 4, 6], roles: ADMINS, sensitive: true },
  updateMark: { statuses: [0, 1, 2, 3, 4, 5, 6], roles: DESK, sensitive: false, whenFrozen: true },
};

/** Roles that may take an action on some order. */
export const collectionActionRoles = (action: CollectionAction): readonly Role[] =>
  COLLECTION_ACTION_TABLE[action].roles;

/** The duty that a further user of a party needs for an action. */
export const collectionActionDuty = (action: CollectionAction) => COLLECTION_ACTION_TABLE[action].duty;

export interface ActionSubject {
  readonly status: CollectionStatus;
  /** An account is still held for the order, so freeResource can free it. */
  readonly holdsAccount: boolean;
  /** Reversed orders keep their status. */
  readonly reversed: boolean;
  /** Frozen by an admin or by a legal hold. */
  readonly frozen: boolean;
}

/** Settings the action table depends on. */
export interface ActionSettings {
  readonly canTimeoutSupplement: boolean;
}

/** The actions that a user may take on an order now. The caller must check that the viewer may see the order (scope). */
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
    // Freed by its supplier, an order only times out: what its payer may still pay counts until its grace ends.
    if (action === 'freeResource')
      return (
        order.holdsAccount && (actor.role !== 'supplier' || order.status === COLLECTION_STATUS.allocated)
      );
    if (action === 'reverse') return !order.reversed;
    return true;
  });
}

/** Above this number new orders are shown as 'more' and not counted. */
export const MOST_NEW_ORDERS = 100;
