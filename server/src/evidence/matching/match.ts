import { namesOf } from '@sangam/contract/references.ts';
import {
  type EndedAmount,
  lockMatchable,
  merchantsNamed,
  nearestPayable,
} from '../../collection/matchable.ts';
import { isFrozen, completeOrders, type Completion, rememberJoined } from '../../collection/complete.ts';
import { SLACK, type WaitingOrder } from '../../collection/waiting.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SettingValues } from '../../platform/settings/settings.ts';
import { usedReferences } from '../../order-numbers/claim.ts';
import { referenceKey } from '../../order-numbers/references.ts';
import { nameScreen } from '../../screening/screen.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { holdForChain, mayComplete } from '../trusted-chain/hold.ts';
import { bookedByTransaction, joined, judgeUsed, notifyBookedOtherwise, type Verdicts } from './booked.ts';
import { Candidates } from './candidates.ts';
import { type Evidence, type NewCredit, verdict, type Verdict } from './credit.ts';
import { decide, type Decision, identifyCodesIn, mayBeAgain } from './decide.ts';
import {
  amountKey,
  type RememberedAmount,
  rememberedAmounts,
  toldAt,
  amountsOfOneBalance,
} from './reported-amounts.ts';
import { noteHeld } from './held.ts';
import { isListed } from './listed.ts';
import { type NewDebit, takenBack } from './taken-back.ts';

interface Decided {
  readonly credit: NewCredit;
  /** `itsMessage`: the credit is the message of an order that an operator completed with this sum. */
  readonly decision: Decision | { readonly kind: 'itsMessage'; readonly orderId: bigint };
}

/** A credit and the order it completes. */
interface Match {
  readonly credit: NewCredit;
  readonly orderId: bigint;
  readonly evidence: Evidence;
}

type Referenced = NewCredit & { readonly reference: string };
const isReferenced = (credit: NewCredit): credit is Referenced => credit.reference !== null;

/**
 * Matches credits that were just reported to waiting orders and completes those orders, in the caller's transaction. `passed`: messages
 * whose chain lets them complete orders of any amount. Returns verdicts by message id. A credit without a verdict completes no order that
 * we know.
 */
export async function matchCredits(
  platform: Platform,
  tx: Tx,
  credits: readonly NewCredit[],
  passed: ReadonlySet<bigint>,
  at: Date,
  debits: readonly NewDebit[] = [],
): Promise<ReadonlyMap<bigint, Verdict>> {
  if (credits.length === 0) return new Map();
  const [waiting, used, remembered, back, settings] = await Promise.all([
    lockMatchable(tx, {
      accountIds: credits.map(({ accountId }) => accountId),
      amounts: credits.map(({ amount }) => amount),
      references: credits.flatMap(({ reference }) => (reference === null ? [] : namesOf(reference))),
      identifyCodes: credits.flatMap(({ text }) => identifyCodesIn(text)),
    }),
    usedReferences(tx, credits.filter(isReferenced)),
    rememberedOf(tx, credits, at),
    takenBack(tx, credits, debits, at),
    platform.settings.all(),
  ]);
  // An operator may have completed an order by this UTR before its message came. Such a credit belongs to that order and takes no other.
  const named = [
    ...referenced(credits, used),
    ...(await bookedByTransaction(tx, credits.filter(isReferenced))),
  ];
  const names = await nameScreen(platform).ready();
  const ofNamed = await judgeUsed(platform, tx, named, {
    doubt(credit) {
      if (back.has(credit.messageId)) return 'wentBack';
      if (isListed(names, credit)) return 'payerListed';
      if (mayBeAgain(credit, remembered.get(amountKey(credit)), 'barred', at)) return 'wordingSettled';
      const hasPaid = mayBeAgain(credit, remembered.get(amountKey(credit)), 'paid', at);
      return hasPaid ? 'contradictsBooked' : undefined;
    },
    mayBeAgain: (credit, toldAt) => mayBeAgain(credit, { paid: { bareAt: toldAt } }, 'paid', at),
  });
  const isNamed = new Set(named.map(({ messageId }) => messageId));
  const rest = credits.filter(({ messageId }) => !isNamed.has(messageId));
  const { gone = [], unnamed = [] } = Object.groupBy(rest, ({ messageId }) =>
    back.has(messageId) ? 'gone' : 'unnamed',
  );
  const ofGone = gone.map(({ messageId }) => [messageId, verdict('ambiguous', 'wentBack')] as const);
  const { listed = [], open = [] } = Object.groupBy(unnamed, (credit) =>
    isListed(names, credit) ? 'listed' : 'open',
  );
  const ofListed = listed.map(({ messageId }) => [messageId, verdict('ambiguous', 'payerListed')] as const);
  const typed = new Set(waiting.map(({ payerUtr }) => payerUtr));
  const merchants = await merchantsNamed(
    tx,
    open
      .filter(isReferenced)
      .filter(({ reference, isExact }) => !isExact && typed.has(reference))
      .map((credit) => ({ ...credit, identifyCodes: identifyCodesIn(credit.text) })),
    at,
  );
  const judged = new Map(ofNamed);
  rememberDecided(named, ({ messageId }) => decidedAs(judged.get(messageId)), remembered, at);
  rememberDecided([...gone, ...listed], () => 'barred', remembered, at);
  const decided = decideAll(open, waiting, remembered, { needsName: settings.NeedNameCheck, merchants, at });
  const ofOthers = await verdictsOfUndecided(tx, decided);

  const matches = decided.flatMap(({ credit, decision }): Match[] =>
    decision.kind === 'match'
      ? [{ credit, orderId: decision.order.orderId, evidence: decision.evidence }]
      : [],
  );
  const { held = [], sure = [] } = Object.groupBy(matches, (match) =>
    isHeld(match, passed, settings) ? 'held' : 'sure',
  );
  const ofHeld = held.map(({ credit }) => [credit.messageId, verdict('held', 'chain')] as const);
  const ofSure = await completeMatches(platform, tx, sure, at);
  const soFar = new Map([...ofNamed, ...ofGone, ...ofListed, ...ofOthers, ...ofHeld, ...ofSure]);
  // The same report states one reference with different sums. A person has to find out which of them came.
  const unmatched = open.filter(
    ({ messageId }) => (soFar.get(messageId)?.state ?? 'unmatched') === 'unmatched',
  );
  const ofContradicting = await verdictsOfContradicting(platform, tx, unmatched, sure, soFar);
  await holdForChain(
    platform,
    tx,
    held.map(({ credit: { messageId, accountId }, orderId, evidence }) => ({
      messageId,
      accountId,
      orderId,
      evidence,
    })),
    at,
  );
  const verdicts = new Map([...soFar, ...ofContradicting]);
  // Messages of orders that an operator has completed.
  const joinedLate = credits.flatMap(({ messageId, accountId, amount, reference }) => {
    const { evidence, orderId } = verdicts.get(messageId) ?? {};
    if (evidence !== 'supplement' || !orderId) return [];
    return [{ orderId, accountId, received: amount, stated: reference !== null }];
  });
  rememberJoined(tx, joinedLate, at);
  return verdicts;
}

/** What is remembered of these amounts. A rail that reports its credits itself reports each once, so its credits are left out. */
async function rememberedOf(
  tx: Tx,
  credits: readonly NewCredit[],
  at: Date,
): Promise<Map<string, RememberedAmount>> {
  const ofMessages = credits.filter(({ balanceMode }) => balanceMode !== null);
  if (ofMessages.length === 0) return new Map();
  const own = ofMessages.map(({ messageId }) => messageId);
  const known = await rememberedAmounts(tx, ofMessages, own, at);
  const byBalance = ofMessages.flatMap(({ accountId, amount, reference, balance, isVague }) =>
    reference === null && typeof balance === 'bigint' && isVague === true
      ? [{ accountId, amount, balance }]
      : [],
  );
  for (const key of await amountsOfOneBalance(tx, byBalance, own, at))
    known.set(key, { ...known.get(key), hasNoOtherBalance: true });
  return known;
}

/** The credits whose reference (`referenceKey`) is among these. */
function referenced(
  credits: readonly NewCredit[],
  references: { has: (key: string) => boolean },
): Referenced[] {
  return credits.filter(
    (credit): credit is Referenced => isReferenced(credit) && references.has(referenceKey(credit)),
  );
}

/** Remembers credits that were decided without their amount. The same report may tell of them again, before or after. */
function rememberDecided(
  credits: readonly NewCredit[],
  kind: (credit: NewCredit) => DecidedAs,
  remembered: Map<string, RememberedAmount>,
  at: Date,
): void {
  for (const credit of credits) {
    if (credit.balanceMode === null) continue;
    const key = amountKey(credit);
    remembered.set(key, withOne(credit, kind(credit), remembered.get(key), at));
  }
}

/** Decides which credit completes which order; each order is given once. Each credit is remembered for the credits after it. */
function decideAll(
  credits: readonly NewCredit[],
  waiting: readonly WaitingOrder[],
  remembered: Map<string, RememberedAmount>,
  {
    needsName,
    merchants,
    at,
  }: {
    readonly needsName: boolean;
    readonly merchants: ReadonlyMap<bigint, readonly bigint[]>;
    readonly at: Date;
  },
): Decided[] {
  const candidates = new Candidates(waiting);
  return credits.map((credit): Decided => {
    const key = amountKey(credit);
    const known = remembered.get(key);
    const found = candidates.of(credit);
    const named = merchants.get(credit.messageId);
    const decision = decide(credit, found, { needsName, known, merchants: named, now: at });
    const ended = known?.ended;
    const supplemented = ended && mayBeOf(credit, ended) ? ended.supplemented : null;
    // The credit states no reference and no order waits for it: it is the message of the order that an operator completed with this sum.
    if (
      decision.kind === 'ambiguous' &&
      credit.reference === null &&
      found.length === 0 &&
      supplemented !== null
    ) {
      remembered.set(key, withOne(credit, 'match', known, at));
      return { credit, decision: { kind: 'itsMessage', orderId: supplemented } };
    }
    if (decision.kind === 'match') candidates.take(decision.order.orderId);
    // A later credit of this amount in the same report may be this payment again.
    if (credit.balanceMode !== null && !isSecond(credit, decision))
      remembered.set(key, withOne(credit, decision.kind, known, at));
    return { credit, decision };
  });
}

/**
 * Whether the order that an operator completed could already be paid when the money moved, and the credit carries no other order's code.
 */
function mayBeOf({ at, text }: NewCredit, { payableSince, identifyCode }: EndedAmount): boolean {
  const isNamed = identifyCodesIn(text).every((code) => code === identifyCode);
  return isNamed && payableSince !== null && at.getTime() >= payableSince.getTime() - SLACK;
}

/**
 * Whether the credit counts as another wording of an earlier one. It is not remembered, because later credits are compared with the earlier
 * one (`IS_SECOND` in reported-amounts.ts).
 */
function isSecond({ reference }: NewCredit, decision: Decision): boolean {
  if (reference !== null || decision.kind !== 'ambiguous') return false;
  return decision.reason === 'amountJustMatched' || decision.reason === 'amountJustReported';
}

type DecidedAs = Decision['kind'] | 'barred';

function decidedAs(judged: Verdict | undefined): DecidedAs {
  if (judged?.state !== 'ambiguous') return 'match';
  return judged.reason === 'wentBack' || judged.reason === 'payerListed' ? 'barred' : 'ambiguous';
}

/** What is remembered of a credit's amount after the decision on it. */
function withOne(
  { reference }: NewCredit,
  kind: DecidedAs,
  before: RememberedAmount | undefined,
  at: Date,
): RememberedAmount {
  const told = toldAt(reference !== null, at);
  const ended = before?.ended && { ...before.ended, supplemented: null };
  if (kind === 'match') return { ...before, ended, paid: { ...before?.paid, ...told }, open: {} };
  const which = kind === 'barred' ? 'barred' : 'open';
  return { ...before, ended, [which]: { ...before?.[which], ...told } };
}

/**
 * Verdicts on ambiguous credits, on messages of orders that an operator completed, and on exact credits (USDT) that miss a payable amount
 * by little.
 */
async function verdictsOfUndecided(tx: Tx, decided: readonly Decided[]): Promise<Verdicts> {
  const verdicts: [bigint, Verdict][] = [];
  for (const { credit, decision } of decided) {
    const { messageId, accountId, amount, at, isExact } = credit;
    if (decision.kind === 'ambiguous') verdicts.push([messageId, verdict('ambiguous', decision.reason)]);
    if (decision.kind === 'itsMessage') verdicts.push([messageId, joined(decision.orderId)]);
    if (decision.kind !== 'none' || !isExact) continue;
    const near = await nearestPayable(tx, accountId, amount, at);
    if (near !== undefined)
      verdicts.push([messageId, verdict('ambiguous', near > amount ? 'underpaid' : 'overpaid')]);
  }
  return verdicts;
}

function isHeld({ credit, evidence }: Match, passed: ReadonlySet<bigint>, settings: SettingValues): boolean {
  const { balanceMode, currency, amount, balance, messageId } = credit;
  if (balanceMode === null) return false;
  const isPassed = passed.has(messageId);
  return !mayComplete({ currency, balanceMode, amount, balance, evidence, isPassed }, settings);
}

/** Completes the orders. A credit of a frozen order is held until the order is unfrozen. */
async function completeMatches(
  platform: Platform,
  tx: Tx,
  matches: readonly Match[],
  at: Date,
): Promise<Verdicts> {
  const results = await completeOrders(
    platform,
    tx,
    matches.map(({ credit, orderId, evidence }): Completion => ({
      orderId,
      received: credit.amount,
      utr: credit.reference,
      by: 'message',
      offset: false,
      accountId: credit.accountId,
      actor: { kind: 'monitor', id: credit.monitorId, ip: null },
      data: { messageId: String(credit.messageId), evidence },
    })),
    at,
  );
  await noteHeld(
    platform,
    tx,
    matches
      .filter((_match, index) => isFrozen(results[index]!))
      .map(({ credit: { messageId }, orderId, evidence }) => ({ orderId, messageId, evidence })),
  );
  const isUsed = (index: number) => {
    const result = results[index]!;
    return isRefusal(result) && result.code === 'utrUsed';
  };
  const used = matches.flatMap(({ credit }, index) => (isUsed(index) ? [credit as Referenced] : []));
  return [
    ...(await judgeUsed(platform, tx, used)),
    ...matches.flatMap(({ credit: { messageId }, orderId, evidence }, index): Verdicts => {
      const result = results[index]!;
      if (isUsed(index)) return [];
      if (isFrozen(result)) return [[messageId, verdict('held', 'orderFrozen')]];
      if (isRefusal(result)) return [[messageId, verdict('unmatched', 'orderClosed')]];
      return [[messageId, { state: 'matched', reason: null, orderId, evidence }]];
    }),
  ];
}

/** Credits that found no order although their reference has just completed one with another sum. The admins are notified. */
async function verdictsOfContradicting(
  platform: Platform,
  tx: Tx,
  unmatched: readonly NewCredit[],
  matches: readonly Match[],
  verdicts: ReadonlyMap<bigint, Verdict>,
): Promise<Verdicts> {
  const completed = new Map(
    matches.flatMap(({ credit, orderId }) =>
      isReferenced(credit) && verdicts.get(credit.messageId)?.state === 'matched'
        ? [[referenceKey(credit), orderId] as const]
        : [],
    ),
  );
  const contradicting = referenced(unmatched, completed);
  for (const credit of contradicting)
    await notifyBookedOtherwise(platform, tx, credit, completed.get(referenceKey(credit))!);
  return contradicting.map(({ messageId }) => [messageId, verdict('ambiguous', 'contradictsBooked')]);
}
