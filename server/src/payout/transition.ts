import { PAYOUT_TRANSITIONS } from '@sangam/contract/payouts.ts';
import { transitionsOf } from '../history/transition.ts';
import { freezeContradicted, NEXT_UNASKED } from './contradicted.ts';

const { transition: step } = transitionsOf('payout_orders', PAYOUT_TRANSITIONS, {
  account_id: 'bigint',
  agent_commission: 'bigint',
  ask_again_at: 'timestamptz',
  asked_at: 'timestamptz',
  attempt: 'int',
  claimed_at: 'timestamptz',
  claimed_until: 'timestamptz',
  finished_at: 'timestamptz',
  gateway_ref: 'text',
  locked_at: 'timestamptz',
  locked_by: 'text',
  reject_reason: 'text',
  reversed_at: 'timestamptz',
  sending_since: 'timestamptz',
  submitted_at: 'timestamptz',
  supplier_commission: 'bigint',
  supplier_id: 'bigint',
  taken_on: 'date',
  unproven: 'boolean',
  utr: 'text',
});

/**
 * The only code that changes a payout's status. Freezes a payout that may now be paid again, or refunded, though it was reported as paid.
 */
export const transition: typeof step = async (platform, tx, steps, set) => {
  await step(platform, tx, steps, set);
  const last = new Map(steps.map(({ orderId, to }) => [orderId, to]));
  const next = [...last].flatMap(([orderId, to]) => (NEXT_UNASKED.has(to) ? [orderId] : []));
  await freezeContradicted(platform, tx, next);
};

/** Columns for the end of a claim, of a process's lock and of a send. */
export const LET_GO = {
  claimed_until: null,
  locked_by: null,
  locked_at: null,
  sending_since: null,
} as const;

/** Columns for the way back to 'waiting': nothing of a claim, a lock or a gateway stays on the order. */
export const NOBODYS = {
  ...LET_GO,
  supplier_id: null,
  account_id: null,
  claimed_at: null,
  taken_on: null,
  submitted_at: null,
  gateway_ref: null,
  asked_at: null,
} as const;
