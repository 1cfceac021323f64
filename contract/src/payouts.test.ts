import { expect, test } from 'vitest';
import {
  PAYOUT_ACTIONS,
  PAYOUT_STATUS,
  PAYOUT_TRANSITIONS,
  payoutActions,
  type PayoutStatus,
} from './payouts.ts';
import { ROLES } from './roles.ts';

const STATUSES = Object.values(PAYOUT_STATUS).toSorted((a, b) => a - b);

test('every status can be reached from a new payout', () => {
  const reached = new Set<PayoutStatus>([PAYOUT_STATUS.waiting]);
  for (let before = 0; before !== reached.size;) {
    before = reached.size;
    for (const status of reached) for (const next of PAYOUT_TRANSITIONS[status]) reached.add(next);
  }
  expect([...reached].toSorted((a, b) => a - b)).toEqual(STATUSES);
});

test('every open payout can reach an end, and only a reversal leads back from one', () => {
  const ends: readonly PayoutStatus[] = [
    PAYOUT_STATUS.completed,
    PAYOUT_STATUS.cancelled,
    PAYOUT_STATUS.rejected,
  ];
  for (const status of STATUSES) {
    const next = PAYOUT_TRANSITIONS[status];
    if (ends.includes(status))
      expect(next.filter((to) => to !== status)).toEqual(status === PAYOUT_STATUS.completed ? [6] : []);
    else expect(next.some((to) => ends.includes(to) || PAYOUT_TRANSITIONS[to].length > 0)).toBe(true);
  }
});

test('each role has its actions, and some roles have none', () => {
  const may = (role: (typeof ROLES)[number]) => {
    const all = STATUSES.flatMap((status) =>
      (['none', 'mine', 'other'] as const).flatMap((claim) =>
        [true, false].flatMap((locked) =>
          payoutActions({ role }, { status, claim, locked, unproven: true, frozen: false, onChain: false }),
        ),
      ),
    );
    return PAYOUT_ACTIONS.filter((action) => all.includes(action));
  };
  expect(may('technicalMaintenance')).toEqual([]);
  expect(may('technicalSupport')).toEqual([]);
  expect(may('merchant')).toEqual(['cancel', 'callback']);
  expect(may('supplier')).toEqual(['claim', 'cancelClaim', 'confirmPaid', 'reject']);
  expect(may('customerService')).toEqual([
    'confirmPaid',
    'acceptProof',
    'reject',
    'reselect',
    'unlock',
    'callback',
    'updateMark',
  ]);
  expect(may('admin')).toEqual(PAYOUT_ACTIONS.filter((action) => action !== 'claim' && action !== 'release'));
});

test('a payout that an automatic process holds can only be unlocked, called back or marked', () => {
  for (const role of ROLES) {
    for (const status of STATUSES) {
      for (const claim of ['none', 'mine', 'other'] as const) {
        const actions = payoutActions(
          { role },
          {
            status,
            claim,
            locked: true,
            unproven: true,
            frozen: false,
            onChain: false,
          },
        );
        expect(actions.filter((action) => !['unlock', 'callback', 'updateMark'].includes(action))).toEqual(
          [],
        );
        expect(
          payoutActions(
            { role },
            {
              status,
              claim,
              locked: false,
              unproven: true,
              frozen: false,
              onChain: false,
            },
          ),
        ).not.toContain('unlock');
      }
    }
  }
});

test('a frozen payout cannot be given to anybody, paid, ended or reversed', () => {
  for (const role of ROLES) {
    for (const status of STATUSES) {
      for (const claim of ['none', 'mine', 'other'] as const) {
        const actions = payoutActions(
          { role },
          {
            status,
            claim,
            locked: false,
            unproven: true,
            frozen: true,
            onChain: false,
          },
        );
        for (const action of ['claim', 'confirmPaid', 'reject', 'reselect', 'cancel', 'reverse'] as const)
          expect(actions).not.toContain(action);
      }
    }
  }
});

test('nobody confirms or rejects a payout that a chain may still pay; admins release one that the chain did not pay', () => {
  const on = (role: (typeof ROLES)[number], status: (typeof STATUSES)[number]) =>
    payoutActions(
      { role },
      {
        status,
        claim: 'none',
        locked: false,
        unproven: false,
        frozen: false,
        onChain: true,
      },
    );
  for (const role of ROLES) {
    for (const status of [1, 2, 7, 8] as const)
      expect(on(role, status).filter((action) => ['confirmPaid', 'reject'].includes(action))).toEqual([]);
    expect(on(role, 9).includes('release')).toBe(['superAdmin', 'admin'].includes(role));
  }
  expect(on('admin', 9)).toContain('reject');
});
