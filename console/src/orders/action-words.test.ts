import { expect, test } from 'vitest';
import { COLLECTION_ACTIONS } from '@sangam/contract/orders.ts';
import { PAYOUT_ACTIONS } from '@sangam/contract/payouts.ts';
import words from '../locales/en-US.json';

// Types make sure that every action has a control (ActionKinds). This test makes sure that it has texts; the three languages have
// the same keys.

/** Actions with a dialog of their own, or without one. They need no sentence about the consequence. */
const WITHOUT_CONSEQUENCE: ReadonlySet<string> = new Set(['supplement', 'updateMark', 'callback']);

test.each([
  ['collection', COLLECTION_ACTIONS],
  ['payout', PAYOUT_ACTIONS],
] as const)('every action on a %s order has a name and says what it does', (direction, actions) => {
  const names: Readonly<Record<string, string>> = words.actions;
  const consequences: Readonly<Record<string, string>> = words.consequences[direction];
  for (const action of actions) {
    expect(names[action], action).toBeTruthy();
    if (!WITHOUT_CONSEQUENCE.has(action)) expect(consequences[action], action).toBeTruthy();
  }
});
