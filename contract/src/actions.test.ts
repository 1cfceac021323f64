import { describe, expect, test } from 'vitest';
import * as orderCalls from './endpoints/order.ts';
import * as payoutCalls from './endpoints/payout.ts';
import { COLLECTION_ACTIONS, COLLECTION_STATUS, collectionActions, type CollectionAction } from './orders.ts';
import {
  PAYOUT_ACTIONS,
  PAYOUT_STATUS,
  payoutActions,
  type PayoutAction,
  type PayoutClaim,
} from './payouts.ts';
import { ROLES, type Role } from './roles.ts';

/*
 * The action tables of the specification, written a second time apart from the code: who may take an action, in which status,
 * and by which call. Each action that is offered must be callable, and whoever may make the call must be offered the action
 * somewhere.
 */

interface Row {
  readonly statuses: readonly number[];
  readonly roles: readonly Role[];
  readonly call: { readonly access: unknown };
}

const DESK = ['superAdmin', 'admin', 'customerService'] as const;
const ADMIN_SIDE = ['superAdmin', 'admin'] as const;

const COLLECTION: Readonly<Record<CollectionAction, Row>> = {
  supplement: { statuses: [1, 2, 5], roles: [...DESK, 'supplier'], call: orderCalls.supplement },
  reselect: { statuses: [0, 1, 5], roles: DESK, call: orderCalls.reselect },
  freeResource: { statuses: [1, 2], roles: [...DESK, 'supplier'], call: orderCalls.freeResource },
  callback: { statuses: [3, 4, 6], roles: [...DESK, 'merchant'], call: orderCalls.callback },
  reverse: { statuses: [3, 4, 6], roles: ADMIN_SIDE, call: orderCalls.reverse },
  updateMark: { statuses: [0, 1, 2, 3, 4, 5, 6], roles: DESK, call: orderCalls.updateOrderMark },
};

/** Suppliers have a column of their own, because they act by the claim they hold. */
const PAYOUT: Readonly<Record<PayoutAction, Row & { readonly supplier?: PayoutClaim }>> = {
  claim: { statuses: [0], roles: [], supplier: 'none', call: payoutCalls.claimOrder },
  cancelClaim: { statuses: [1], roles: ADMIN_SIDE, supplier: 'mine', call: payoutCalls.cancelClaim },
  confirmPaid: { statuses: [1, 2, 7, 8, 9], roles: DESK, supplier: 'mine', call: payoutCalls.confirmPaid },
  acceptProof: { statuses: [3], roles: DESK, call: payoutCalls.acceptProof },
  reject: { statuses: [0, 1, 7, 9], roles: DESK, supplier: 'mine', call: payoutCalls.reject },
  reselect: { statuses: [9], roles: DESK, call: orderCalls.reselect },
  // For payouts on a chain: the signer asks two people for what exceeds its limits.
  release: { statuses: [9], roles: ADMIN_SIDE, call: payoutCalls.releasePayout },
  unlock: { statuses: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], roles: DESK, call: payoutCalls.unlockOrder },
  cancel: { statuses: [0], roles: [...ADMIN_SIDE, 'merchant'], call: payoutCalls.cancelPayout },
  callback: { statuses: [3, 6], roles: [...DESK, 'merchant'], call: orderCalls.callback },
  reverse: { statuses: [3], roles: ADMIN_SIDE, call: orderCalls.reverse },
  updateMark: {
    statuses: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    roles: DESK,
    call: orderCalls.updateOrderMark,
  },
};

const isOffered = {
  collection: (
    action: CollectionAction,
    role: Role,
    status: (typeof COLLECTION_STATUS)[keyof typeof COLLECTION_STATUS],
  ) =>
    collectionActions(
      { role },
      { status, holdsAccount: true, reversed: false, frozen: false },
      { canTimeoutSupplement: true },
    ).includes(action),
  payout: (
    action: PayoutAction,
    role: Role,
    status: (typeof PAYOUT_STATUS)[keyof typeof PAYOUT_STATUS],
    claim: PayoutClaim,
  ) =>
    payoutActions(
      { role },
      {
        status,
        claim,
        locked: action === 'unlock',
        unproven: true,
        frozen: false,
        onChain: action === 'release',
      },
    ).includes(action),
};

describe.each(COLLECTION_ACTIONS)('collection: %s', (action) => {
  const row = COLLECTION[action];
  test.each(ROLES)('is offered to %s exactly where the table says so', (role) => {
    for (const status of Object.values(COLLECTION_STATUS)) {
      // Freed by its supplier an order only times out: afterwards there is nothing to free.
      const isMoot =
        action === 'freeResource' && role === 'supplier' && status === COLLECTION_STATUS.timedOut;
      expect(isOffered.collection(action, role, status), `status ${status}`).toBe(
        row.roles.includes(role) && row.statuses.includes(status) && !isMoot,
      );
    }
  });
});

describe.each(PAYOUT_ACTIONS)('payout: %s', (action) => {
  const row = PAYOUT[action];
  test.each(ROLES)('is offered to %s exactly where the table says so', (role) => {
    for (const status of Object.values(PAYOUT_STATUS)) {
      for (const claim of ['none', 'mine', 'other'] as const) {
        const may = role === 'supplier' ? row.supplier === claim : row.roles.includes(role);
        // Without a claim there is nothing to cancel.
        const isMoot =
          (action === 'cancelClaim' && claim === 'none') ||
          // A supplier cannot say that it paid what its bank calls unpaid.
          (action === 'confirmPaid' && role === 'supplier' && status === PAYOUT_STATUS.processingError);
        expect(isOffered.payout(action, role, status, claim), `status ${status}, claim ${claim}`).toBe(
          may && row.statuses.includes(status) && !isMoot,
        );
      }
    }
  });
});

test('exactly the roles that are offered an action may make its call, in either direction', () => {
  const callers = new Map<Row['call'], Set<Role>>();
  const admit = (call: Row['call'], roles: readonly Role[]) => {
    const known = callers.get(call) ?? new Set();
    for (const role of roles) known.add(role);
    callers.set(call, known);
  };
  for (const action of COLLECTION_ACTIONS) admit(COLLECTION[action].call, COLLECTION[action].roles);
  for (const action of PAYOUT_ACTIONS) {
    const { call, roles, supplier } = PAYOUT[action];
    admit(call, supplier === undefined ? roles : [...roles, 'supplier']);
  }
  for (const [call, roles] of callers) expect(new Set(call.access as readonly Role[])).toEqual(roles);
});
