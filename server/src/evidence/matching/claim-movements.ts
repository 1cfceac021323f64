import type { SignedMonitor } from '../../http/route.ts';
import { SLACK } from '../../collection/waiting.ts';
import { type Tx, hot, sql } from '../../platform/db/database.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';
import type { Platform } from '../../platform/platform.ts';
import { waitForChains } from '../trusted-chain/fill-gap.ts';
import { fingerprintAfter, fingerprintOf, movedAt, textFingerprint } from './place.ts';
import type { Movement } from '../templates/engine.ts';
import type { ReadMessage } from './read.ts';
import { claimFingerprints, type FingerprintClaim } from './store.ts';
import { debitsOf, debitsThatName, numbersIn } from './taken-back.ts';

/** A movement that a message tells. The message is stored, or of the same report. */
export interface Told {
  readonly id: bigint;
  readonly direction: string | null;
  readonly amount: bigint | null;
  readonly utr: string | null;
  readonly text: string;
  readonly reason: string | null;
  readonly receivedAt: Date;
  readonly reportedAt: Date;
  readonly bankTime: Date | null;
  readonly timePrecision: Movement['timePrecision'] | null;
}

interface Claim extends FingerprintClaim {
  readonly told: Told;
}

/**
 * Claims the movements of a report. Returns the messages whose movement another message has already told. A bank may take a payment back
 * and credit it again under the same number. So a credit is no repeat if a debit that names the payment moved between the two credits. The
 * same holds for a debit and a credit of its number.
 */
export async function claimMovements(
  platform: Platform,
  tx: Tx,
  { id: monitorId, clockBehindMs = 0 }: SignedMonitor,
  read: readonly ReadMessage[],
  at: Date,
): Promise<ReadonlySet<bigint>> {
  const claims = read.flatMap((message) => claimOf(message, at));
  const repeated = await claimFingerprints(tx, claims);
  const numbered = claims.filter(({ messageId, told }) => repeated.has(messageId) && told.utr !== null);
  if (numbered.length === 0) return repeated;
  // A debit that is being taken in may part the two credits. It is not stored yet, but whoever takes it in holds its chain.
  await waitForChains(platform, tx, accountsOf(read));
  const stored = Map.groupBy(await storedBeside(tx, monitorId, numbered, at), ({ claimId }) => claimId);
  const lost = new Set(repeated);
  const again: FingerprintClaim[] = [];
  for (const { messageId, accountId, fingerprint, told } of numbered) {
    const beside = read.filter(({ id }) => id !== messageId && !lost.has(id));
    const known = [
      ...(stored.get(messageId) ?? []),
      ...beside.flatMap((message) => toldOn(accountId, told.utr!, message, at)),
    ];
    // The phone's clock may be wrong.
    const receivedAt = new Date(told.receivedAt.getTime() + clockBehindMs);
    const parting = partingFrom(known, told, receivedAt);
    if (parting === undefined) continue;
    again.push({ messageId, accountId, fingerprint: fingerprintAfter(fingerprint, parting) });
    // The messages after it in this report are compared with it.
    lost.delete(messageId);
  }
  const repeatedAgain = await claimFingerprints(tx, again);
  const fresh = new Set(again.map(({ messageId }) => messageId).filter((id) => !repeatedAgain.has(id)));
  return new Set([...repeated].filter((id) => !fresh.has(id)));
}

/**
 * The accounts whose chains a report concerns: those that its movements belong to, and those that a debit may belong to. Wait for all of
 * them at once, so that two reports do not wait for each other.
 */
export function accountsOf(read: readonly ReadMessage[]): bigint[] {
  const debits = read.flatMap(debitsOf).map(({ accountId }) => accountId);
  return [...new Set([...read.flatMap(({ account }) => account?.id ?? []), ...debits])];
}

/** What the message claims of its movement. */
export function claimedBy({ parsed, reported }: ReadMessage): string {
  // If the bank states nothing that tells movements apart, the same text at the same time is the same message.
  return fingerprintOf(parsed) ?? `text/${textFingerprint(reported)}`;
}

function claimOf(message: ReadMessage, at: Date): Claim[] {
  const { id, account } = message;
  const fingerprint = claimedBy(message);
  return account
    ? toldBy(message, at).map((told) => ({ messageId: id, accountId: account.id, fingerprint, told }))
    : [];
}

function toldBy({ id, parsed, reported }: ReadMessage, at: Date): Told[] {
  if (parsed.outcome !== 'parsed') return [];
  const { direction, amountMinor: amount, ref: utr = null, bankTime = null, timePrecision } = parsed;
  const { text, receivedAt } = reported;
  return [
    { id, direction, amount, utr, text, reason: null, receivedAt, reportedAt: at, bankTime, timePrecision },
  ];
}

/** What a message of the same report tells of the number on the account. A debit may name the number in its text alone. */
function toldOn(accountId: bigint, utr: string, message: ReadMessage, at: Date): Told[] {
  return toldBy(message, at).filter((told) =>
    told.direction === 'debit'
      ? message.fitting.some(({ id }) => id === accountId) &&
        numbersIn({ reference: told.utr, text: told.text }).includes(utr)
      : message.account?.id === accountId && told.utr === utr,
  );
}

/** The account's stored credits with the number of each claim, and the debits that name it; the oldest first. */
export function storedBeside(
  tx: Tx,
  monitorId: bigint,
  claims: readonly (Pick<Claim, 'messageId' | 'accountId'> & { readonly told: Pick<Told, 'utr'> })[],
  at: Date,
): Promise<(Told & { readonly claimId: bigint })[]> {
  const rows = claims.map(({ messageId, accountId, told: { utr } }) => ({
    messageId,
    accountId,
    monitorId,
    utr,
  }));
  return tx.query(
    hot(
      'movements beside claims',
      sql`
    select v.message_id as "claimId", m.id, m.direction, m.amount, m.utr, m.text, m.reason, m.received_at as "receivedAt",
      m.reported_at as "reportedAt", m.bank_time as "bankTime", m.time_precision as "timePrecision"
    from ${unnestRows({ messageId: 'bigint', accountId: 'bigint', monitorId: 'bigint', utr: 'text' }, rows)}
    cross join lateral (
      select c.* from messages c where c.utr = v.utr and c.account_id = v.account_id and c.direction = 'credit'
      union all ${debitsThatName(at)}
    ) m order by m.id`,
    ),
  );
}

const isSameMessage = (one: Told, other: Told) =>
  one.text === other.text && one.receivedAt.getTime() === other.receivedAt.getTime();

/**
 * The last movement of the other direction that parts the new movement from a known one, if one parts it from each. Else the new one is a
 * repeat. The bank's message about the first of two movements may come last. `receivedAt`: by our clock.
 */
export function partingFrom(
  known: readonly Told[],
  message: Told,
  receivedAt = message.receivedAt,
): bigint | undefined {
  if (known.some((other) => isSameMessage(other, message))) return undefined;
  const told = { ...message, receivedAt };
  const movements = known.filter(({ reason }) => reason !== 'sameMovement');
  const alike = movements.filter(
    ({ direction, amount, utr }) =>
      direction === told.direction && amount === told.amount && utr === told.utr,
  );
  const counter = movements.filter(({ direction }) => direction !== told.direction);
  const parts = (back: Told, other: Told) => isBetween(back, other, told) || isBetween(back, told, other);
  if (!alike.every((other) => counter.some((back) => parts(back, other)))) return undefined;
  return counter.findLast((back) => alike.some((other) => parts(back, other)))?.id;
}

/**
 * Whether `back` moved after `first`, and `again` after `back`. A message that names no minute leaves it in doubt. Then the answer is true,
 * and an operator decides.
 */
function isBetween(back: Told, first: Told, again: Told): boolean {
  if (latest(back) < earliest(first) || latest(again) < earliest(back)) return false;
  if (back.id < first.id && latest(back) <= latest(first)) return false;
  const isOfFirst = latest(again) <= Math.min(latest(first), first.reportedAt.getTime()) + SLACK;
  return !isOfFirst || latest(back) <= latest(again);
}

/** The first moment at which the money may have moved: the bank's time, or the start of the day that the bank names. */
const earliest = ({ bankTime }: Told) => bankTime?.getTime() ?? -Infinity;

/** The last such moment. */
const latest = ({ bankTime, timePrecision, receivedAt }: Told) =>
  movedAt({ ...(bankTime && { bankTime }), timePrecision: timePrecision ?? 'none' }, receivedAt).getTime();
