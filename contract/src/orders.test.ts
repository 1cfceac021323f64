import { expect, test } from 'vitest';
import {
  COLLECTION_ACTIONS,
  COLLECTION_STATUS,
  COLLECTION_TRANSITIONS,
  PAID_STATUSES,
  collectionActions,
  type CollectionStatus,
} from './orders.ts';
import { ROLES } from './roles.ts';

const STATUSES = Object.values(COLLECTION_STATUS);

test('every status can be reached from a new order, and transitions name known statuses only', () => {
  const reached = new Set<CollectionStatus>([COLLECTION_STATUS.created]);
  // The iteration of a set also visits what is added meanwhile.
  for (const status of reached) for (const next of COLLECTION_TRANSITIONS[status]) reached.add(next);
  expect([...reached].toSorted((a, b) => a - b)).toEqual(STATUSES);
});

test('every order that can still be paid has a step to paid, and only a reversal takes paid money back', () => {
  for (const status of STATUSES) {
    const paid = [
      COLLECTION_STATUS.paid,
      COLLECTION_STATUS.callbackSucceeded,
      COLLECTION_STATUS.callbackFailed,
    ] as const;
    const isPaid = paid.some((known) => known === status);
    const next = COLLECTION_TRANSITIONS[status];
    if (isPaid) expect(next.every((to) => paid.some((known) => known === to))).toBe(true);
  }
});

test('technicalMaintenance and technicalSupport have no actions, a merchant only its callback', () => {
  for (const role of ROLES) {
    const all = STATUSES.flatMap((status) =>
      collectionActions(
        { role },
        { status, holdsAccount: true, reversed: false, frozen: false },
        { canTimeoutSupplement: true },
      ),
    );
    const seen = COLLECTION_ACTIONS.filter((action) => all.includes(action));
    if (role === 'technicalMaintenance' || role === 'technicalSupport') expect(seen).toEqual([]);
    if (role === 'merchant') expect(seen).toEqual(['callback']);
    if (role === 'supplier') expect(seen).toEqual(['supplement', 'freeResource']);
  }
});

test('whether a timed-out order may be supplemented is a setting', () => {
  const subject = { status: COLLECTION_STATUS.timedOut, holdsAccount: false, reversed: false, frozen: false };
  expect(collectionActions({ role: 'admin' }, subject, { canTimeoutSupplement: true })).toContain(
    'supplement',
  );
  expect(collectionActions({ role: 'admin' }, subject, { canTimeoutSupplement: false })).not.toContain(
    'supplement',
  );
});

test('paid money is reversed once, by superAdmin and admin alone', () => {
  for (const role of ROLES) {
    for (const status of STATUSES) {
      const may = (reversed: boolean) =>
        collectionActions(
          { role },
          { status, holdsAccount: false, reversed, frozen: false },
          { canTimeoutSupplement: true },
        ).includes('reverse');
      expect(may(false)).toBe(['superAdmin', 'admin'].includes(role) && PAID_STATUSES.includes(status));
      expect(may(true)).toBe(false);
    }
  }
});

test('nobody can pay, move or reverse a frozen order', () => {
  for (const role of ROLES) {
    for (const status of STATUSES) {
      const subject = { status, holdsAccount: true, reversed: false, frozen: true };
      const actions = collectionActions({ role }, subject, { canTimeoutSupplement: true });
      for (const action of ['supplement', 'reselect', 'reverse'] as const)
        expect(actions).not.toContain(action);
    }
  }
});
