import { DAY } from '../../platform/clock.ts';
import type { SignedMonitor } from '../../http/route.ts';
import { timed } from '../../platform/stage-times.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Tx } from '../../platform/db/database.ts';
import { nameScreen } from '../../screening/screen.ts';
import { waitForChains } from '../trusted-chain/fill-gap.ts';
import { placeMessages } from '../trusted-chain/place.ts';
import { accountsOf, claimMovements } from './claim-movements.ts';
import { verdict } from './credit.ts';
import { delayCredits } from './delayed.ts';
import { isToldListed, leaveToldListed, listedRepeats } from './listed-repeats.ts';
import { matchCredits } from './match.ts';
import type { MessageResult, ReportedMessage } from './message.ts';
import { reopenRepeats, repeatedDebits } from './reopen.ts';
import { applyTakingBack, barHeldWordings, debitsOf } from './taken-back.ts';
import { creditOf, readMessage, reportedMovement, rowOf } from './read.ts';
import { claimMessageKeys, findMessages, insertMessages, monitorAccounts, writeMonitorLog } from './store.ts';
import { currentTemplates } from '../templates/current.ts';
import { parseMessage, type ParseResult } from '../templates/engine.ts';

/**
 * No phone still has a message from before this date. An earlier time comes from a clock that was never set, or from seconds that were
 * reported as milliseconds.
 */
const EARLIEST = new Date('2000-01-01T00:00:00Z');

/**
 * Stores a monitor's messages, each once, matches the credits to waiting orders and completes those orders. One transaction holds
 * everything from the message to the ledger and the outbox. A repeat is answered as the first time. One-time passwords are discarded and
 * never stored. With `MessageDelay` credits wait before they are matched.
 */
export async function receiveMessages(
  platform: Platform,
  monitor: SignedMonitor,
  messages: readonly ReportedMessage[],
): Promise<MessageResult[]> {
  const at = platform.clock.now();
  const reported = [...new Map(messages.map((message) => [message.messageId, message])).values()].map(
    (message) => ({ ...message, receivedAt: possible(message.receivedAt, at) }),
  );
  // Loaded before the transaction: inside it, loading would need a second connection.
  const ids = reported.map(({ messageId }) => messageId);
  const [templates, found] = await Promise.all([
    currentTemplates(platform),
    // A phone that is asked to report its inbox again repeats what is known. To read those texts again took two fifths of the processor.
    findMessages(platform.db.evidence, monitor.id, ids),
    nameScreen(platform).ready(),
  ]);
  const known = new Map(found.map((result) => [result.messageId, result]));
  // Nothing else is written of a report that only repeats.
  if (known.size === reported.length)
    await platform.db.evidence.tx(async (tx) =>
      writeMonitorLog(platform, tx, [received(monitor, known.size)]),
    );
  const parsed = reported
    .filter(({ messageId }) => !known.has(messageId))
    .map((message) => ({ message, result: parseMessage(templates, message) }));
  const kept = parsed.filter(({ result }) => result.outcome !== 'otp');
  const take = (some: readonly Parsed[]) =>
    timed(platform, 'match', () =>
      platform.db.evidence.tx((tx) =>
        takeIn(platform, tx, monitor, some, templates.addedBanks, some === kept ? known.size : 0),
      ),
    );
  const stored = kept.length > 0 ? await takeOrPart(platform, kept, take) : new Map();
  return messages.map(
    (message) =>
      known.get(message.messageId) ??
      stored.get(message.messageId) ?? { messageId: message.messageId, state: 'discarded', orderId: null },
  );
}

/** The entry of the monitor's log for a report. */
const received = ({ id }: SignedMonitor, messages: number) =>
  ({ monitorId: id, phase: 'received', messageId: null, orderId: null, detail: { messages } }) as const;

interface Parsed {
  readonly message: ReportedMessage;
  readonly result: ParseResult;
}

type Results = Map<string, MessageResult>;

/**
 * Where the database refuses a report, takes in each message alone, and throws at the end what one of them met. A phone sends a failed
 * report again as it was, so one message that cannot be stored would keep all others out for ever.
 */
async function takeOrPart(
  { log }: Platform,
  messages: readonly Parsed[],
  take: (messages: readonly Parsed[]) => Promise<Results>,
): Promise<Results> {
  try {
    return await take(messages);
  } catch (error) {
    if (messages.length === 1 || !isRefusedRow(error)) throw error;
    log.error({ err: error }, 'a report is taken in message by message');
    const results: Results = new Map();
    let refused: Error | undefined;
    for (const message of messages)
      try {
        for (const [id, result] of await take([message])) results.set(id, result);
      } catch (failure) {
        // A database that is gone would fail for each of the others too.
        if (!isRefusedRow(failure)) throw failure;
        refused ??= failure;
      }
    if (refused) throw refused;
    return results;
  }
}

/** A constraint or a value: PostgreSQL's error classes 22 and 23. */
function isRefusedRow(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code));
}

/** Replaces an impossible time of the device by the report's time. One broken clock or unit must not keep a whole report out. */
function possible(receivedAt: Date, reportedAt: Date): Date {
  const isPossible = receivedAt >= EARLIEST && receivedAt.getTime() <= reportedAt.getTime() + DAY;
  return isPossible ? receivedAt : reportedAt;
}

/** `repeats`: how many known messages the report repeats beside these; the monitor's log counts them too. */
async function takeIn(
  platform: Platform,
  tx: Tx,
  monitor: SignedMonitor,
  messages: readonly Parsed[],
  addedBanks: ReadonlyMap<string, string>,
  repeats: number,
): Promise<Results> {
  const at = platform.clock.now();
  const ids = new Map(messages.map(({ message }) => [message.messageId, platform.ids.next()]));
  const [accounts, fresh] = await Promise.all([
    monitorAccounts(tx, monitor.id),
    claimMessageKeys(tx, monitor.id, ids),
  ]);
  const read = messages
    .filter(({ message }) => fresh.has(message.messageId))
    .map(({ message, result }) =>
      readMessage(ids.get(message.messageId)!, message, result, accounts, addedBanks),
    );
  const repeated = await claimMovements(platform, tx, monitor, read, at);
  const once = read.map((message) =>
    repeated.has(message.id) ? { ...message, verdict: verdict('duplicate', 'sameMovement') } : message,
  );
  const again = read.filter(({ id }) => repeated.has(id));
  const listed = await listedRepeats(platform, tx, monitor, again);
  const credits = once
    .flatMap((message) => creditOf(message, monitor))
    .map((credit) => (isToldListed(credit, listed) ? { ...credit, isToldListed: true } : credit));
  const movements = once.flatMap(reportedMovement);
  // A message without balance is not placed in a chain. But whoever settles or joins another wording of it holds the chain meanwhile.
  const isBare = movements.some(({ balance }) => balance === null);
  // A debit that may belong to several accounts may take back a credit that is being taken in on one of them.
  const isUnbound = once.some((message) => message.account === undefined && debitsOf(message).length > 0);
  // A held credit, which such a message may bar, pays under its account's chain.
  if (isBare || isUnbound || listed.repeats.length > 0) await waitForChains(platform, tx, accountsOf(read));
  const passed = await placeMessages(platform, tx, movements, at);
  const delayed = await delayCredits(platform, tx, credits, monitor.clockBehindMs ?? 0, at);
  const due = credits.filter(({ messageId }) => !delayed.has(messageId));
  const debits = once.flatMap(debitsOf);
  const verdicts = new Map([...delayed, ...(await matchCredits(platform, tx, due, passed, at, debits))]);
  const rows = once.map((message) =>
    rowOf(message, verdicts.get(message.id) ?? message.verdict, monitor, at),
  );
  insertMessages(tx, rows, at);
  const idsOf = (why: string) => rows.flatMap(({ id, reason }) => (reason === why ? [id] : []));
  const told = await applyTakingBack(platform, tx, debits, idsOf('wentBack'));
  const back = [...idsOf('wentBack'), ...idsOf('contradictsBooked')];
  await reopenRepeats(platform, tx, [...told, ...(await repeatedDebits(tx, back))], at);
  await barHeldWordings(platform, tx, idsOf('payerListed'));
  await leaveToldListed(platform, tx, listed);
  writeMonitorLog(platform, tx, [
    received(monitor, messages.length + repeats),
    ...rows
      .filter(({ state }) => state === 'matched' || state === 'unparsed')
      .map(({ id, state, orderId, evidence }) => ({
        monitorId: monitor.id,
        phase: state === 'matched' ? ('matched' as const) : ('failed' as const),
        messageId: id,
        orderId,
        detail: evidence ? { evidence } : {},
      })),
  ]);
  const results = rows.map(({ externalId, state, orderId }) => ({ messageId: externalId, state, orderId }));
  const knownSince = messages
    .map(({ message }) => message.messageId)
    .filter((messageId) => !fresh.has(messageId));
  return new Map(
    [...results, ...(await findMessages(tx, monitor.id, knownSince))].map((result) => [
      result.messageId,
      result,
    ]),
  );
}
