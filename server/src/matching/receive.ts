import { isRefusal } from '../refusal.ts';
import type { SignedMonitor } from '../http/route.ts';
import { timed } from '../monitoring/stage-times.ts';
import type { Platform } from '../platform.ts';
import type { Tx } from '../db/database.ts';
import { isFrozen, settle, type Completion } from '../collection/settle.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { lockMatchable } from '../collection/matchable.ts';
import { usedReferences } from '../references/claim.ts';
import { accountOf, fingerprintOf, movedAt } from './place.ts';
import { holdForChain, mayComplete } from '../trusted-chain/hold.ts';
import { placeMessages, type ToldMovement } from '../trusted-chain/place.ts';
import { noteHeld, type HeldEvidence } from './held.ts';
import { Candidates } from './candidates.ts';
import { decide, identifyCodesIn, type Evidence } from './decide.ts';
import {
  claimFingerprints,
  claimMessageKeys,
  findMessages,
  insertMatches,
  insertMessages,
  monitorAccounts,
  writeMonitorLog,
} from './store.ts';
import type { MessageResult, MessageRow, MessageState, MonitorAccount, ReportedMessage } from './message.ts';
import { currentTemplates } from './templates/current.ts';
import { parseMessage, type ParseResult } from './templates/engine.ts';

/** A message on its way: what was told, what it parsed to, and what becomes of it. */
interface Incoming {
  readonly id: bigint;
  readonly told: ReportedMessage;
  readonly parsed: ParseResult;
  readonly account: MonitorAccount | undefined;
  state: MessageState;
  reason: string | null;
  orderId: bigint | null;
  evidence: Evidence | null;
}

/**
 * Takes a monitor's messages: stores each once, matches credits to waiting orders and completes those, all in one
 * transaction: from message to credit and outbox row. Repeats answer as the first time. One-time passwords are
 * discarded unstored.
 */
export async function receiveMessages(
  platform: Platform,
  monitor: SignedMonitor,
  messages: readonly ReportedMessage[],
): Promise<MessageResult[]> {
  const told = [...new Map(messages.map((message) => [message.messageId, message])).values()];
  const templates = await currentTemplates(platform);
  const parsed = told.map((message) => ({ message, result: parseMessage(templates, message) }));
  const kept = parsed.filter(({ result }) => result.outcome !== 'otp');
  const stored =
    kept.length > 0
      ? await timed(platform, 'match', () => platform.db.tx((tx) => takeIn(platform, tx, monitor, kept)))
      : new Map();
  return messages.map(
    (message) =>
      stored.get(message.messageId) ?? { messageId: message.messageId, state: 'discarded', orderId: null },
  );
}

async function takeIn(
  platform: Platform,
  tx: Tx,
  monitor: SignedMonitor,
  messages: readonly { readonly message: ReportedMessage; readonly result: ParseResult }[],
): Promise<Map<string, MessageResult>> {
  const at = platform.clock.now();
  const ids = new Map(messages.map(({ message }) => [message.messageId, platform.ids.next()]));
  const [accounts, fresh] = await Promise.all([
    monitorAccounts(tx, monitor.id),
    claimMessageKeys(tx, monitor.id, ids),
  ]);
  const incoming = messages
    .filter(({ message }) => fresh.has(message.messageId))
    .map(({ message, result }) => place(ids.get(message.messageId)!, message, result, accounts));

  const duplicates = await claimFingerprints(
    tx,
    incoming.flatMap((item) => {
      const fingerprint = fingerprintOf(item.parsed);
      return item.account && fingerprint
        ? [{ messageId: item.id, accountId: item.account.id, fingerprint }]
        : [];
    }),
  );
  for (const item of incoming) {
    if (duplicates.has(item.id)) set(item, 'duplicate', 'sameMovement');
  }
  const passed = await placeMessages(platform, tx, incoming.flatMap(toldMovement), at);
  await match(platform, tx, monitor, incoming, passed, at);

  insertMessages(
    tx,
    incoming.map((item) => rowOf(item, monitor, at)),
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
  writeMonitorLog(platform, tx, [
    {
      monitorId: monitor.id,
      phase: 'received',
      messageId: null,
      orderId: null,
      detail: { messages: messages.length },
    },
    ...incoming
      .filter((item) => item.state === 'matched' || item.state === 'unparsed')
      .map((item) => ({
        monitorId: monitor.id,
        phase: item.state === 'matched' ? ('matched' as const) : ('failed' as const),
        messageId: item.id,
        orderId: item.orderId,
        detail: item.evidence ? { evidence: item.evidence } : {},
      })),
  ]);
  const results = incoming.map((item) => ({
    messageId: item.told.messageId,
    state: item.state,
    orderId: item.orderId,
  }));
  const repeats = messages
    .map(({ message }) => message.messageId)
    .filter((messageId) => !fresh.has(messageId));
  return new Map(
    [...results, ...(await findMessages(tx, monitor.id, repeats))].map((result) => [
      result.messageId,
      result,
    ]),
  );
}

function set(item: Incoming, state: MessageState, reason: string | null): void {
  item.state = state;
  item.reason = reason;
}

/** First verdict on a message, before orders are looked at. */
function place(
  id: bigint,
  told: ReportedMessage,
  parsed: ParseResult,
  accounts: readonly MonitorAccount[],
): Incoming {
  const found = parsed.outcome === 'parsed' ? accountOf(parsed, told, accounts) : [];
  const account = found.length === 1 ? found[0] : undefined;
  const item: Incoming = {
    id,
    told,
    parsed,
    account,
    state: 'unmatched',
    reason: null,
    orderId: null,
    evidence: null,
  };
  if (parsed.outcome === 'ignored') set(item, 'ignored', parsed.reason);
  else if (parsed.outcome !== 'parsed') set(item, 'unparsed', null);
  else if (found.length === 0) set(item, 'unmatched', 'accountUnknown');
  else if (found.length > 1) set(item, 'ambiguous', 'severalAccounts');
  else if (parsed.direction === 'debit') set(item, 'ignored', 'debit');
  return item;
}

/** Matches the open credits to waiting orders and settles those they complete. */
async function match(
  platform: Platform,
  tx: Tx,
  monitor: SignedMonitor,
  incoming: readonly Incoming[],
  passed: ReadonlySet<bigint>,
  at: Date,
): Promise<void> {
  const credits = incoming.flatMap((item) =>
    item.state === 'unmatched' && item.account && item.parsed.outcome === 'parsed'
      ? [{ item, account: item.account, movement: item.parsed }]
      : [],
  );
  if (credits.length === 0) return;
  const waiting = new Candidates(
    await lockMatchable(tx, {
      accountIds: credits.map(({ account }) => account.id),
      amounts: credits.map(({ movement }) => movement.amountMinor),
      references: credits.flatMap(({ movement }) => movement.ref ?? []),
      identifyCodes: credits.flatMap(({ item }) => identifyCodesIn(item.told.text)),
    }),
  );
  const settings = await platform.settings.all();
  const needsName = settings.NeedNameCheck;
  const waitsForChain: Parameters<typeof holdForChain>[2][number][] = [];
  const held: HeldEvidence[] = [];
  for (let left = credits; left.length > 0;) {
    const completions = new Map<Incoming, Completion>();
    for (const { item, account, movement } of left) {
      const told = {
        accountId: account.id,
        amount: movement.amountMinor,
        reference: movement.ref ?? null,
        payer: movement.payer ?? null,
        text: item.told.text,
        at: movedAt(movement, item.told.receivedAt),
      };
      const decision = decide(told, waiting.of(told), { needsName });
      if (decision.kind === 'ambiguous') set(item, 'ambiguous', decision.reason);
      if (decision.kind !== 'match') continue;
      const { orderId } = decision.order;
      waiting.take(orderId);
      const { evidence } = decision;
      const { currency, balanceMode } = account;
      const balance = movement.balanceMinor ?? null;
      const credit = { currency, balanceMode, amount: movement.amountMinor, balance, evidence };
      if (!mayComplete({ ...credit, isPassed: passed.has(item.id) }, settings)) {
        set(item, 'held', 'chain');
        waitsForChain.push({ messageId: item.id, accountId: account.id, orderId, evidence });
        continue;
      }
      item.evidence = evidence;
      completions.set(item, {
        orderId,
        received: movement.amountMinor,
        utr: movement.ref ?? null,
        by: 'message',
        offset: false,
        actor: { kind: 'monitor', id: monitor.id, ip: null },
        data: { messageId: String(item.id), evidence },
      });
    }
    const settled = await settle(platform, tx, [...completions.values()], at);
    let isFreed = false;
    [...completions].forEach(([item, { orderId }], index) => {
      const result = settled[index]!;
      if (!isRefusal(result) && result.status === COLLECTION_STATUS.paid) {
        set(item, 'matched', null);
        item.orderId = result.id;
        return;
      }
      const { evidence } = item;
      item.evidence = null;
      if (isFrozen(result)) {
        set(item, 'held', 'orderFrozen');
        held.push({ orderId, messageId: item.id, evidence: evidence! });
      } else if (isRefusal(result) && result.code === 'utrUsed') {
        set(item, 'duplicate', 'utrUsed');
        // Its order still waits: another credit of this report may be the one.
        waiting.giveBack(orderId);
        isFreed = true;
      } else set(item, 'unmatched', 'orderClosed');
    });
    left = isFreed ? left.filter(({ item }) => item.state === 'unmatched' && item.reason === null) : [];
  }
  await noteHeld(platform, tx, held);
  // What an operator completed by its UTR before its message came is no money without an order.
  const late = credits.filter(
    ({ item, movement }) => item.state === 'unmatched' && movement.ref !== undefined,
  );
  const used = await usedReferences(
    tx,
    late.map(({ account, movement }) => ({ reference: movement.ref!, currency: account.currency })),
  );
  for (const { item, movement } of late) if (used.has(movement.ref!)) set(item, 'duplicate', 'utrUsed');
  await holdForChain(platform, tx, waitsForChain, at);
}

/** What the trusted chain places: movements of known accounts, each once. */
function toldMovement({ id, told, parsed, account, state }: Incoming): ToldMovement[] {
  if (parsed.outcome !== 'parsed' || !account || state === 'duplicate') return [];
  const isPrecise = parsed.timePrecision === 'second' || parsed.timePrecision === 'minute';
  return [
    {
      messageId: id,
      accountId: account.id,
      direction: parsed.direction,
      amount: parsed.amountMinor,
      balance: parsed.balanceMinor ?? null,
      movedAt: movedAt(parsed, told.receivedAt),
      isPrecise,
    },
  ];
}

function rowOf(item: Incoming, monitor: SignedMonitor, at: Date): MessageRow {
  const movement = item.parsed.outcome === 'parsed' ? item.parsed : undefined;
  return {
    id: item.id,
    monitorId: monitor.id,
    externalId: item.told.messageId,
    kind: item.told.kind,
    sender: item.told.sender,
    text: item.told.text,
    accountId: item.account?.id ?? null,
    // A monitor may serve accounts of several suppliers.
    supplierId: item.account?.supplierId ?? monitor.supplierId,
    templateId:
      item.parsed.outcome === 'parsed' || item.parsed.outcome === 'ignored' ? item.parsed.templateId : null,
    bank: item.account?.bank ?? null,
    direction: movement?.direction ?? null,
    currency: movement?.currency ?? null,
    amount: movement?.amountMinor ?? null,
    balance: movement?.balanceMinor ?? null,
    accountTail: movement?.accountTail ?? null,
    utr: movement?.ref ?? null,
    payer: movement?.payer ?? null,
    remark: movement?.remark ?? null,
    bankTime: movement?.bankTime ?? null,
    timePrecision: movement?.timePrecision ?? null,
    state: item.state,
    reason: item.reason,
    orderId: item.orderId,
    receivedAt: item.told.receivedAt,
    reportedAt: at,
  };
}
