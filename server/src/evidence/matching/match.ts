import { amountsJustPaid, lockMatchable } from '../../collection/matchable.ts';
import { isFrozen, completeOrders, type Completion } from '../../collection/complete.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { SignedMonitor } from '../../http/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { usedReferences } from '../../order-numbers/claim.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { holdForChain, mayComplete } from '../trusted-chain/hold.ts';
import { Candidates } from './candidates.ts';
import { decide, identifyCodesIn, type Evidence, type JustPaid } from './decide.ts';
import { noteHeld } from './held.ts';
import { type Incoming, set } from './incoming.ts';
import type { MonitorAccount } from './message.ts';
import { movedAt } from './place.ts';
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
  const [waiting, used, justPaid, settings] = await Promise.all([
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
    amountsJustPaid(
      tx,
      credits.map(({ account, movement }) => ({ accountId: account.id, amount: movement.amountMinor })),
      at,
    ),
    platform.settings.all(),
  ]);
  // What an operator completed by its UTR before its message came is no money without an order, and takes no other order.
  markUsed(credits, used);
  const paid = new Map(justPaid.map((each) => [`${each.accountId}/${each.amount}`, each]));
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
  // Told twice in one report, by different sums: what paid nothing is the one that paid, told wrong.
  markUsed(credits, await complete(platform, tx, monitor, sure, at));
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

function markUsed(credits: readonly OpenCredit[], used: ReadonlySet<string>): void {
  for (const { item, movement } of credits)
    if (item.state === 'unmatched' && movement.ref !== undefined && used.has(movement.ref))
      set(item, 'duplicate', 'utrUsed');
}

/**
 * Which credit pays which order, each order once; what is ambiguous is marked so. A phone's clock may be wrong by more than
 * the slack of a match, so its times are corrected by what it is behind. The stored time stays the phone's: a repeat of a
 * message is known by it.
 */
function ordersPaid(
  credits: readonly OpenCredit[],
  waiting: Candidates,
  paid: ReadonlyMap<string, JustPaid>,
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
      at: movedAt(movement, new Date(item.told.receivedAt.getTime() + clockBehindMs)),
    };
    const justPaid = paid.get(`${account.id}/${movement.amountMinor}`);
    const decision = decide(told, waiting.of(told), { needsName, justPaid });
    if (decision.kind === 'ambiguous') set(item, 'ambiguous', decision.reason);
    if (decision.kind !== 'match') return [];
    const { orderId } = decision.order;
    waiting.take(orderId);
    return [{ ...credit, orderId, evidence: decision.evidence }];
  });
}

/** Completes the orders and marks their messages; answers the references that were used. */
async function complete(
  platform: Platform,
  tx: Tx,
  monitor: SignedMonitor,
  matches: readonly Match[],
  at: Date,
): Promise<ReadonlySet<string>> {
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
  const used = new Set<string>();
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
      if (movement.ref !== undefined) used.add(movement.ref);
    }
  });
  await noteHeld(
    platform,
    tx,
    frozen.map(({ item, orderId, evidence }) => ({ orderId, messageId: item.id, evidence })),
  );
  return used;
}
