import { SECOND } from '../platform/clock.ts';
import type { IdMaker } from '../platform/db/ids.ts';
import { bankText, type BankText, type Movement } from './bank-text.ts';
import type { PastPayout } from './plan-payouts.ts';
import { referenceAt, type PastOrder } from './plan-orders.ts';
import type { Random } from './random.ts';
import { sampleTimes } from './rhythm.ts';
import type { World, WorldAccount } from './world.ts';

const OPENING_BALANCE = 2_00_000_00n;
/** The part of an account's balance above this goes to the supplier's other accounts. */
const MOST_BALANCE = 40_00_000_00n;
const STRAY_CREDITS = 45;

export interface PastMessage {
  readonly id: bigint;
  readonly account: WorldAccount;
  readonly movement: Movement;
  readonly told: BankText;
  readonly state: 'matched' | 'unmatched' | 'ignored';
  readonly reason: string | null;
  readonly orderId: bigint | null;
  readonly receivedAt: Date;
  readonly reportedAt: Date;
}

interface Fact {
  readonly id: bigint;
  readonly account: WorldAccount;
  readonly direction: 'credit' | 'debit';
  readonly amount: bigint;
  readonly reference: string;
  readonly at: Date;
  readonly reportedAt: Date;
  readonly state: PastMessage['state'];
  readonly reason: string | null;
  readonly orderId: bigint | null;
}

/**
 * Plans the banks' messages: one for every order paid by a message, for every payout's debit and for a few credits without an order. Each
 * account's balance continues from message to message.
 */
export function planMessages(
  ids: IdMaker,
  world: World,
  past: { readonly orders: readonly PastOrder[]; readonly payouts: readonly PastPayout[] },
  span: { readonly from: Date; readonly to: Date },
  random: Random,
): PastMessage[] {
  const balances = new Map(world.accounts.map(({ id }) => [id, OPENING_BALANCE]));
  const facts = [
    ...past.orders.flatMap(creditOf),
    ...past.payouts.flatMap((payout) => debitOf(ids, payout)),
    ...strayCredits(ids, world, span, random),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());

  return facts.flatMap((fact, index) => {
    const change = fact.direction === 'credit' ? fact.amount : -fact.amount;
    const sweep = sweepOf(ids, fact, balances.get(fact.account.id)! + change, index);
    return [...sweep, fact].map((each) => {
      const { id, account, direction, amount, at, reportedAt, state, reason, orderId } = each;
      const balanceAfter = balances.get(account.id)! + (direction === 'credit' ? amount : -amount);
      balances.set(account.id, balanceAfter);
      const movement = {
        bank: account.bank,
        direction,
        amount,
        tail: account.tail,
        balanceAfter,
        reference: each.reference,
        at,
      };
      const receivedAt = new Date(reportedAt.getTime() - SECOND);
      return {
        id,
        account,
        movement,
        told: bankText(movement),
        state,
        reason,
        orderId,
        receivedAt,
        reportedAt,
      };
    });
  });
}

function creditOf({ order, account, payment }: PastOrder): Fact[] {
  if (!payment || payment.by !== 'message' || !account) return [];
  return [
    {
      id: payment.messageId,
      account,
      direction: 'credit',
      amount: order.received!,
      reference: payment.reference,
      at: payment.movedAt,
      reportedAt: order.paidAt!,
      state: 'matched',
      reason: null,
      orderId: order.id,
    },
  ];
}

function debitOf(ids: IdMaker, payout: PastPayout): Fact[] {
  if (!payout.account) return [];
  const at = new Date(payout.finishedAt.getTime() - 4 * SECOND);
  return [debit(ids, payout.account, payout.amount, payout.reference!, at)];
}

function debit(ids: IdMaker, account: WorldAccount, amount: bigint, reference: string, at: Date): Fact {
  const reportedAt = new Date(at.getTime() + 3 * SECOND);
  return {
    id: ids.next(reportedAt),
    account,
    direction: 'debit',
    amount,
    reference,
    at,
    reportedAt,
    state: 'ignored',
    reason: 'debit',
    orderId: null,
  };
}

/** The supplier moves money on before too much is in one account, and never empties the account. */
function sweepOf(ids: IdMaker, fact: Fact, balance: bigint, index: number): Fact[] {
  const at = new Date(fact.at.getTime() - 2 * SECOND);
  const reference = referenceAt(at, 'sweep', index);
  if (balance > MOST_BALANCE) return [debit(ids, fact.account, balance - OPENING_BALANCE, reference, at)];
  if (balance >= 0n) return [];
  const refill = debit(ids, fact.account, OPENING_BALANCE - balance, reference, at);
  return [{ ...refill, direction: 'credit', state: 'unmatched', reason: null }];
}

/** Money without an order: the payer came too late or paid another amount. */
function strayCredits(
  ids: IdMaker,
  world: World,
  span: { readonly from: Date; readonly to: Date },
  random: Random,
): Fact[] {
  return sampleTimes(STRAY_CREDITS, span.from, span.to, random).map((at, index) => {
    const reportedAt = new Date(at.getTime() + random.int(3, 9) * SECOND);
    return {
      id: ids.next(reportedAt),
      account: random.pick(world.accounts),
      direction: 'credit',
      amount: BigInt(random.int(100_00, 9_000_00)),
      reference: referenceAt(at, 'stray', index),
      at,
      reportedAt,
      state: 'unmatched',
      reason: null,
      orderId: null,
    };
  });
}
