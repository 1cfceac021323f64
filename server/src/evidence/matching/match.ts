import { amountsRemembered, lockMatchable, type RememberedAmount } from '../../collection/matchable.ts';
import { isFrozen, completeOrders, type Completion } from '../../collection/complete.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { SignedMonitor } from '../../http/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { usedReferences } from '../../order-numbers/claim.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { holdForChain, mayComplete } from '../trusted-chain/hold.ts';
import { type BookedCredit, compareBooked, notifyBookedOtherwise } from './booked.ts';
import { Candidates } from './candidates.ts';
import { decide, identifyCodesIn, type Evidence } from './decide.ts';
import { noteHeld } from './held.ts';
import { type Incoming, set } from './incoming.ts';
import type { MonitorAccount } from './message.ts';
import { isPrecise, movedAt } from './place.ts';
import { nameScreen } from '../../screening/screen.ts';
import type { ParseResult } from '../templates/engine.ts';

/** An open credit of a known account. */
interface OpenCredit {
  readonly item: Incoming;
  readonly account: MonitorAccount;
  readonly movement: Extract<ParseResult, { readonly outcome: 'parsed' }>;
}

/** The order a credit pays. */
interface Match extends OpenCredit {
  readonly orderId: bigint;
  readonly evidence: Evidence;
}

/**
 * Matches the open credits of a report to waiting orders and completes those, in the caller's transaction. `passed` are the
 * messages whose trusted chain lets them complete orders of any amount.
 */
export async function matchCredits(
  platform: Platform,
  tx: Tx,
  monitor: SignedMonitor,
  incoming: readonly Incoming[],
  passed: ReadonlySet<bigint>,
  at: Date,
): Promise<void> {
  const credits = incoming.flatMap((item): OpenCredit[] =>
    item.state === 'unmatched' && item.account && item.parsed.outcome === 'parsed'
      ? [{ item, account: item.account, movement: item.parsed }]
      : [],
  );
  if (credits.length === 0) return;
  const [waiting, used, remembered, settings] = await Promise.all([
    lockMatchable(tx, {
      accountIds: credits.map(({ account }) => account.id),
      amounts: credits.map(({ movement }) => movement.amountMinor),
      references: credits.flatMap(({ movement }) => movement.ref ?? []),
      identifyCodes: credits.flatMap(({ item }) => identifyCodesIn(item.told.text)),
    }),
    usedReferences(
      tx,
      credits.flatMap(({ movement, account: { currency } }) =>
        movement.ref === undefined ? [] : [{ reference: movement.ref, currency }],
      ),
    ),
    amountsRemembered(
      tx,
      credits.map(({ account, movement }) => ({ accountId: account.id, amount: movement.amountMinor })),
      at,
    ),
    platform.settings.all(),
  ]);
  // What an operator completed by its UTR before its message came is no money without an order, and takes no other order.
  await markUsed(platform, tx, credits, used);
  const names = await nameScreen(platform).ready();
  for (const { item, movement } of credits) {
    const payer = { name: movement.payer, vpa: movement.vpa };
    if (item.state === 'unmatched' && names.hit(payer, 'credit', `message:${item.id}`))
      set(item, 'ambiguous', 'payerListed');
  }
  const paid = new Map(remembered.map((each) => [`${each.accountId}/${each.amount}`, each]));
  const matches = ordersPaid(credits, new Candidates(waiting), paid, {
    needsName: settings.NeedNameCheck,
    clockBehindMs: monitor.clockBehindMs ?? 0,
  });
  const isHeld = ({ item, account, movement, evidence }: Match) =>
    !mayComplete(
      {
        currency: account.currency,
        balanceMode: account.balanceMode,
        amount: movement.amountMinor,
        balance: movement.balanceMinor ?? null,
        evidence,
        isPassed: passed.has(item.id),
      },
      settings,
    );
  const { held = [], sure = [] } = Object.groupBy(matches, (match) => (isHeld(match) ? 'held' : 'sure'));
  for (const { item } of held) set(item, 'held', 'chain');
  const completed = await complete(platform, tx, monitor, sure, at);
  // Reported twice in one report, by different sums: a person has to look which of them came.
  await markContradicting(platform, tx, credits, completed);
  await holdForChain(
    platform,
    tx,
    held.map(({ item, account, orderId, evidence }) => ({
      messageId: item.id,
      accountId: account.id,
      orderId,
      evidence,
    })),
    at,
  );
}

interface NamedCredit extends BookedCredit {
  readonly item: Incoming;
}

/** The credits that are open still and whose reference is one of these. */
function named(
  credits: readonly OpenCredit[],
  references: { has: (reference: string) => boolean },
): NamedCredit[] {
  return credits.flatMap(({ item, account, movement: { ref, amountMinor } }) =>
    item.state === 'unmatched' && ref !== undefined && references.has(ref)
      ? [{ item, accountId: account.id, amount: amountMinor, currency: account.currency, reference: ref }]
      : [],
  );
}

/**
 * Credits whose reference an order has used pay no other order. The message of an order that was booked without it is joined to
 * it; a repeat is a duplicate; what contradicts the booking is left to an operator, and the admins are notified.
 */
async function markUsed(
  platform: Platform,
  tx: Tx,
  credits: readonly OpenCredit[],
  used: ReadonlySet<string>,
): Promise<void> {
  const those = named(credits, used);
  const booked = await compareBooked(tx, those);
  for (const credit of those) {
    const { item } = credit;
    const what = booked.get(credit);
    if (what?.is === 'itsMessage') {
      set(item, 'matched', null);
      item.orderId = what.orderId;
      item.evidence = 'supplement';
    } else if (what?.is === 'contradiction') {
      set(item, 'ambiguous', 'contradictsBooked');
      await notifyBookedOtherwise(platform, tx, credit, what.orderId);
    } else set(item, 'duplicate', 'utrUsed');
  }
}

async function markContradicting(
  platform: Platform,
  tx: Tx,
  credits: readonly OpenCredit[],
  completed: ReadonlyMap<string, bigint>,
): Promise<void> {
  for (const credit of named(credits, completed)) {
    set(credit.item, 'ambiguous', 'contradictsBooked');
    await notifyBookedOtherwise(platform, tx, credit, completed.get(credit.reference)!);
  }
}

/**
 * Which credit pays which order, each order once; what is ambiguous is marked so. A phone's clock may be wrong by more than
 * the slack of a match, so its times are corrected by what it is behind. The stored time stays the phone's: a repeat of a
 * message is known by it.
 */
function ordersPaid(
  credits: readonly OpenCredit[],
  waiting: Candidates,
  paid: Map<string, RememberedAmount>,
  { needsName, clockBehindMs }: { readonly needsName: boolean; readonly clockBehindMs: number },
): Match[] {
  return credits.flatMap((credit): Match[] => {
    const { item, account, movement } = credit;
    if (item.state !== 'unmatched') return [];
    const told = {
      accountId: account.id,
      amount: movement.amountMinor,
      reference: movement.ref ?? null,
      payer: movement.payer ?? null,
      text: item.told.text,
      isSlow: movement.refFamily === 'NEFT' && !isPrecise(movement),
      at: movedAt(movement, new Date(item.told.receivedAt.getTime() + clockBehindMs)),
    };
    const justPaid = paid.get(`${account.id}/${movement.amountMinor}`);
    const candidates = waiting.of(told);
    const decision = decide(told, candidates, { needsName, justPaid });
    if (decision.kind === 'ambiguous' && isItsMessage(movement, candidates, justPaid)) {
      set(item, 'matched', null);
      item.orderId = justPaid!.supplemented;
      item.evidence = 'supplement';
      // Joined: the next one is another payment.
      paid.delete(`${account.id}/${movement.amountMinor}`);
      return [];
    }
    if (decision.kind === 'ambiguous') set(item, 'ambiguous', decision.reason);
    if (decision.kind !== 'match') return [];
    const { orderId } = decision.order;
    waiting.take(orderId);
    // What the same report says again of this amount may be this payment.
    const { accountId, amount } = told;
    paid.set(`${accountId}/${amount}`, {
      accountId,
      amount,
      stated: movement.ref !== undefined,
      supplemented: null,
    });
    return [{ ...credit, orderId, evidence: decision.evidence }];
  });
}

/** Whether a credit without a reference is the message of an order that an operator completed with its sum: nobody else waits for it. */
function isItsMessage(
  { ref }: OpenCredit['movement'],
  candidates: readonly unknown[],
  remembered: RememberedAmount | undefined,
): boolean {
  return ref === undefined && candidates.length === 0 && typeof remembered?.supplemented === 'bigint';
}

/** Completes the orders and marks their messages; answers the references that were used, with their orders. */
async function complete(
  platform: Platform,
  tx: Tx,
  monitor: SignedMonitor,
  matches: readonly Match[],
  at: Date,
): Promise<ReadonlyMap<string, bigint>> {
  const settled = await completeOrders(
    platform,
    tx,
    matches.map(({ item, account, movement, orderId, evidence }): Completion => ({
      orderId,
      received: movement.amountMinor,
      utr: movement.ref ?? null,
      by: 'message',
      offset: false,
      accountId: account.id,
      actor: { kind: 'monitor', id: monitor.id, ip: null },
      data: { messageId: String(item.id), evidence },
    })),
    at,
  );
  const used = new Map<string, bigint>();
  const frozen: Match[] = [];
  matches.forEach((match, index) => {
    const { item, movement, orderId, evidence } = match;
    const result = settled[index]!;
    if (isFrozen(result)) {
      set(item, 'held', 'orderFrozen');
      frozen.push(match);
    } else if (isRefusal(result)) {
      if (result.code === 'utrUsed') set(item, 'duplicate', 'utrUsed');
      else set(item, 'unmatched', 'orderClosed');
    } else {
      set(item, 'matched', null);
      item.orderId = orderId;
      item.evidence = evidence;
      if (movement.ref !== undefined) used.set(movement.ref, orderId);
    }
  });
  await noteHeld(
    platform,
    tx,
    frozen.map(({ item, orderId, evidence }) => ({ orderId, messageId: item.id, evidence })),
  );
  return used;
}
