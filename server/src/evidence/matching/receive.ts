import { DAY } from '../../platform/clock.ts';
import type { SignedMonitor } from '../../http/route.ts';
import { timed } from '../../platform/stage-times.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Tx } from '../../platform/db/database.ts';
import { placeMessages } from '../trusted-chain/place.ts';
import { delayCredits } from './delayed.ts';
import { firstVerdict, rowOf, set, reportedMovement } from './incoming.ts';
import { matchCredits } from './match.ts';
import type { MessageResult, ReportedMessage } from './message.ts';
import { fingerprintOf, textFingerprint } from './place.ts';
import {
  claimFingerprints,
  claimMessageKeys,
  findMessages,
  insertMatches,
  insertMessages,
  monitorAccounts,
  writeMonitorLog,
} from './store.ts';
import { currentTemplates } from '../templates/current.ts';
import { parseMessage, type ParseResult } from '../templates/engine.ts';

/** Before any message a phone may still have: a clock that was never set, or seconds told as milliseconds. */
const EARLIEST = new Date('2000-01-01T00:00:00Z');

/**
 * Takes a monitor's messages: stores each once, matches credits to waiting orders and completes those, all in one
 * transaction: from message to credit and outbox row. Repeats answer as the first time. One-time passwords are
 * discarded unstored. With `MessageDelay` credits wait so long before they are matched.
 */
export async function receiveMessages(
  platform: Platform,
  monitor: SignedMonitor,
  messages: readonly ReportedMessage[],
): Promise<MessageResult[]> {
  const at = platform.clock.now();
  const told = [...new Map(messages.map((message) => [message.messageId, message])).values()].map(
    (message) => ({ ...message, receivedAt: possible(message.receivedAt, at) }),
  );
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

/** A device's time that cannot be is the report's: one broken clock or unit must not keep all messages of a report out. */
function possible(receivedAt: Date, reportedAt: Date): Date {
  const isPossible = receivedAt >= EARLIEST && receivedAt.getTime() <= reportedAt.getTime() + DAY;
  return isPossible ? receivedAt : reportedAt;
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
    .map(({ message, result }) => firstVerdict(ids.get(message.messageId)!, message, result, accounts));

  const duplicates = await claimFingerprints(
    tx,
    incoming.flatMap((item) => {
      // Where the bank states nothing that tells movements apart, the same text at the same time is the same message.
      const fingerprint = fingerprintOf(item.parsed) ?? `text/${textFingerprint(item.told)}`;
      return item.account && item.parsed.outcome === 'parsed'
        ? [{ messageId: item.id, accountId: item.account.id, fingerprint }]
        : [];
    }),
  );
  for (const item of incoming) {
    if (duplicates.has(item.id)) set(item, 'duplicate', 'sameMovement');
  }
  const passed = await placeMessages(platform, tx, incoming.flatMap(reportedMovement), at);
  await delayCredits(platform, tx, incoming, monitor.clockBehindMs ?? 0, at);
  await matchCredits(platform, tx, monitor, incoming, passed, at);

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
