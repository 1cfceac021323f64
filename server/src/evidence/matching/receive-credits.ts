import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { lockMatchable, nearestPayable } from '../../collection/matchable.ts';
import { isFrozen, completeOrders, type Completion } from '../../collection/complete.ts';
import type { WaitingOrder } from '../../collection/waiting.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { nameScreen } from '../../screening/screen.ts';
import { usedReferences } from '../../order-numbers/claim.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { placeMessages, type ReportedMovement } from '../trusted-chain/place.ts';
import { compareBooked, notifyBookedOtherwise } from './booked.ts';
import { decide, identifyCodesIn, type Decision, type Evidence } from './decide.ts';
import { noteHeld } from './held.ts';
import type { MessageRow, MessageState } from './message.ts';
import { claimMessageKeys, insertMatches, insertMessages, referencesStored } from './store.ts';

/** An account whose rail tells us of its credits itself. */
export interface RailAccount {
  readonly id: bigint;
  readonly supplierId: bigint;
  readonly bank: string;
  readonly currency: string;
  readonly accountNumber: string;
  /** The watch that reports it. */
  readonly monitorId: bigint;
}

/** A credit as a rail tells it, in fields and not in a text. Amounts in minor units. */
export interface RailCredit {
  /** The same however often it is told. */
  readonly key: string;
  readonly kind: 'usdt' | 'web';
  readonly account: RailAccount;
  readonly sender: string;
  /** What an operator reads; a payer's own reference to the order stands in it. */
  readonly text: string;
  readonly amount: bigint;
  readonly balance: bigint | null;
  /** Normalised; used for one order. */
  readonly reference: string;
  readonly payer: string | null;
  /** When the money moved, by the rail's clock: it decides what may have been paid, not when we hear of it. */
  readonly at: Date;
  /** Only the exact payable amount counts, or the payer's own reference with it: never 'about' it (docs/rails.md#usdt-trc-20). */
  readonly exact: boolean;
  /** Kept for an operator and not tried, and why. */
  readonly keptBack?: string | undefined;
}

export interface CreditResult {
  readonly key: string;
  readonly state: MessageState;
  readonly orderId: bigint | null;
}

/** Which of these references stored credits of an account already have. */
export function knownReferences(
  db: Queryable,
  accountId: bigint,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  return referencesStored(db, accountId, references);
}

/**
 * Takes in credits told by rails, each once, and completes the orders they pay, all in one transaction. Answers what
 * became of those that are new.
 */
export async function receiveCredits(
  platform: Platform,
  credits: readonly RailCredit[],
): Promise<readonly CreditResult[]> {
  if (credits.length === 0) return [];
  const told = [...new Map(credits.map((credit) => [credit.key, credit])).values()];
  return platform.db.tx((tx) => takeIn(platform, tx, told));
}

interface Incoming {
  readonly id: bigint;
  readonly credit: RailCredit;
  state: MessageState;
  reason: string | null;
  orderId: bigint | null;
  evidence: Evidence | 'supplement' | null;
}

async function takeIn(platform: Platform, tx: Tx, told: readonly RailCredit[]): Promise<CreditResult[]> {
  const at = platform.clock.now();
  const ids = new Map(told.map((credit) => [credit.key, platform.ids.next(at)]));
  const fresh = new Set<string>();
  for (const [monitorId, own] of Map.groupBy(told, ({ account }) => account.monitorId)) {
    const claims = new Map(own.map(({ key }) => [key, ids.get(key)!]));
    for (const key of await claimMessageKeys(tx, monitorId, claims)) fresh.add(key);
  }
  const incoming = told
    .filter((credit) => fresh.has(credit.key))
    .map((credit): Incoming => {
      const state = { state: 'unmatched', reason: credit.keptBack ?? null } as const;
      return { id: ids.get(credit.key)!, credit, ...state, orderId: null, evidence: null };
    });
  // A rail is believed: its chain stops no credit, but a hole in it is a payment nobody told us of, or money that left.
  await placeMessages(platform, tx, incoming.map(reportedMovement), at);
  await match(
    platform,
    tx,
    incoming.filter(({ credit }) => credit.keptBack === undefined),
    at,
  );
  insertMessages(
    tx,
    incoming.map((item) => rowOf(item, at)),
  );
  insertMatches(
    tx,
    incoming.flatMap((item) =>
      item.state === 'matched'
        ? [{ orderId: item.orderId!, messageId: item.id, evidence: item.evidence! }]
        : [],
    ),
    at,
  );
  return incoming.map(({ credit, state, orderId }) => ({ key: credit.key, state, orderId }));
}

function reportedMovement({ id, credit }: Incoming): ReportedMovement {
  const { account, amount, balance, at } = credit;
  const movement = { direction: 'credit', amount, balance, movedAt: at, isPrecise: true } as const;
  return { messageId: id, accountId: account.id, ...movement };
}

async function match(platform: Platform, tx: Tx, incoming: readonly Incoming[], at: Date): Promise<void> {
  if (incoming.length === 0) return;
  const { NeedNameCheck: needsName } = await platform.settings.all();
  const [matchable, used] = await Promise.all([
    lockMatchable(tx, {
      accountIds: incoming.map(({ credit }) => credit.account.id),
      amounts: incoming.map(({ credit }) => credit.amount),
      references: incoming.map(({ credit }) => credit.reference),
      identifyCodes: incoming.flatMap(({ credit }) => identifyCodesIn(credit.text)),
    }),
    usedReferences(
      tx,
      incoming.map(({ credit: { reference, account } }) => ({ reference, currency: account.currency })),
    ),
  ]);
  const waiting = new Map(matchable.map((order): [bigint, WaitingOrder] => [order.orderId, order]));
  const names = await nameScreen(platform).ready();
  const completions = new Map<Incoming, Completion>();
  for (const item of incoming) {
    const { credit } = item;
    // Completed by an operator before the rail reported it.
    if (used.has(credit.reference)) {
      await compareWithBooked(platform, tx, item);
      continue;
    }
    if (names.hit({ name: credit.payer }, 'credit', `message:${item.id}`)) {
      Object.assign(item, { state: 'ambiguous', reason: 'payerListed' });
      continue;
    }
    const decision = decisionOf(credit, [...waiting.values()], needsName);
    if (decision.kind === 'ambiguous') Object.assign(item, { state: 'ambiguous', reason: decision.reason });
    if (decision.kind === 'none' && credit.exact) {
      const near = await nearestPayable(tx, credit.account.id, credit.amount, credit.at);
      if (near !== undefined)
        Object.assign(item, { state: 'ambiguous', reason: near > credit.amount ? 'underpaid' : 'overpaid' });
    }
    if (decision.kind !== 'match') continue;
    waiting.delete(decision.order.orderId);
    item.evidence = decision.evidence;
    completions.set(item, {
      orderId: decision.order.orderId,
      received: credit.amount,
      utr: credit.reference,
      by: 'message',
      offset: false,
      accountId: credit.account.id,
      actor: { kind: 'monitor', id: credit.account.monitorId, ip: null },
      data: { messageId: String(item.id), evidence: decision.evidence },
    });
  }
  await complete(platform, tx, completions, at);
}

/** A credit whose reference an order has used: that order's message, a repeat, or a contradiction that people see. */
async function compareWithBooked(platform: Platform, tx: Tx, item: Incoming): Promise<void> {
  const { account, amount, reference } = item.credit;
  const credit = { accountId: account.id, amount, currency: account.currency, reference };
  const what = (await compareBooked(tx, [credit])).get(credit);
  if (what?.is === 'itsMessage')
    Object.assign(item, { state: 'matched', reason: null, orderId: what.orderId, evidence: 'supplement' });
  else if (what?.is === 'contradiction') {
    Object.assign(item, { state: 'ambiguous', reason: 'contradictsBooked' });
    await notifyBookedOtherwise(platform, tx, credit, what.orderId);
  } else Object.assign(item, { state: 'duplicate', reason: 'utrUsed' });
}

async function complete(
  platform: Platform,
  tx: Tx,
  completions: ReadonlyMap<Incoming, Completion>,
  at: Date,
): Promise<void> {
  const settled = await completeOrders(platform, tx, [...completions.values()], at);
  const results = [...completions].map(([item, { orderId }], index) => ({
    item,
    orderId,
    result: settled[index]!,
  }));
  for (const { item, orderId, result } of results) {
    if (!isRefusal(result) && result.status === COLLECTION_STATUS.paid)
      Object.assign(item, { state: 'matched', orderId });
    else if (isFrozen(result)) Object.assign(item, { state: 'held', reason: 'orderFrozen' });
    else if (isRefusal(result) && result.code === 'utrUsed')
      Object.assign(item, { state: 'duplicate', reason: 'utrUsed' });
    else Object.assign(item, { reason: 'orderClosed' });
  }
  await noteHeld(
    platform,
    tx,
    results
      .filter(({ item }) => item.state === 'held')
      .map(({ item, orderId }) => ({ orderId, messageId: item.id, evidence: item.evidence as Evidence })),
  );
}

function decisionOf(credit: RailCredit, waiting: readonly WaitingOrder[], needsName: boolean): Decision {
  const { account, amount, reference, payer, text, at } = credit;
  if (!credit.exact)
    return decide({ accountId: account.id, amount, reference, payer, text, at }, waiting, { needsName });
  const open = waiting.filter(
    (order) => order.accountId === account.id && at >= order.allocatedAt && at <= order.releaseAt,
  );
  const named = open.find((order) => order.payerUtr === reference);
  if (named && named.payable !== amount) return { kind: 'ambiguous', reason: 'amountDiffers' };
  const order = named ?? open.find((each) => each.payable === amount);
  return order ? { kind: 'match', order, evidence: named ? 'payerUtr' : 'exactAmount' } : { kind: 'none' };
}

function rowOf({ id, credit, state, reason, orderId }: Incoming, at: Date): MessageRow {
  const { account } = credit;
  return {
    id,
    monitorId: account.monitorId,
    externalId: credit.key,
    kind: credit.kind,
    sender: credit.sender,
    text: credit.text,
    accountId: account.id,
    supplierId: account.supplierId,
    templateId: null,
    bank: account.bank,
    direction: 'credit',
    currency: account.currency,
    amount: credit.amount,
    balance: credit.balance,
    accountTail: account.accountNumber.slice(-4),
    utr: credit.reference,
    payer: credit.payer,
    remark: null,
    bankTime: credit.at,
    timePrecision: 'second',
    state,
    reason,
    orderId,
    receivedAt: at,
    reportedAt: at,
  };
}
