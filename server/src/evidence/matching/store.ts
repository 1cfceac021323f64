import { type Queryable, type Tx, hot, sql } from '../../platform/db/database.ts';
import { columnNames, unnestRows } from '../../platform/db/unnest-rows.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Evidence } from './credit.ts';
import type { MessageResult, MessageRow, MonitorAccount } from './message.ts';
import { closeOtherWordings } from './reported-amounts.ts';

export function monitorAccounts(tx: Tx, monitorId: bigint): Promise<MonitorAccount[]> {
  return tx.query<MonitorAccount>(
    hot(
      'accounts of a monitor',
      sql`
    select id, supplier_id as "supplierId", bank, currency, account_number as "accountNumber", sender_header as "senderHeader",
      balance_mode as "balanceMode"
    from accounts where monitor_id = ${monitorId}`,
    ),
  );
}

/**
 * Claims the device's message ids and returns those that were not reported before. A call waits for a concurrent call that reports the same
 * message, so exactly one of them stores it.
 */
export async function claimMessageKeys(
  tx: Tx,
  monitorId: bigint,
  ids: ReadonlyMap<string, bigint>,
): Promise<Set<string>> {
  const rows = await tx.query<{ externalId: string }>(
    hot(
      'claim message keys',
      sql`
    insert into message_keys (monitor_id, external_id, message_id)
    select ${monitorId}, external_id, message_id
    from ${unnestRows(
      { externalId: 'text', messageId: 'bigint' },
      [...ids].map(([externalId, messageId]) => ({ externalId, messageId })),
    )}
    order by external_id on conflict do nothing returning external_id as "externalId"`,
    ),
  );
  return new Set(rows.map((row) => row.externalId));
}

export interface FingerprintClaim {
  readonly messageId: bigint;
  readonly accountId: bigint;
  readonly fingerprint: string;
}

const FINGERPRINT = { accountId: 'bigint', fingerprint: 'text', messageId: 'bigint' } as const;

/** Claims fingerprints (`fingerprintOf`). Returns the messages whose movement another message has already reported. */
export async function claimFingerprints(tx: Tx, claims: readonly FingerprintClaim[]): Promise<Set<bigint>> {
  if (claims.length === 0) return new Set();
  const rows = await tx.query<{ messageId: bigint }>(
    hot(
      'claim fingerprints',
      sql`
    insert into message_fingerprints (${columnNames(FINGERPRINT)}) select * from ${unnestRows(FINGERPRINT, claims)}
    order by account_id, fingerprint, message_id on conflict do nothing returning message_id as "messageId"`,
    ),
  );
  const won = new Set(rows.map((row) => row.messageId));
  return new Set(claims.map((claim) => claim.messageId).filter((id) => !won.has(id)));
}

/** The ids of the credits whose movements these messages tell again: stored ones, and those that this transaction has claimed. */
export async function creditsToldAgain(
  tx: Tx,
  repeats: readonly (Omit<FingerprintClaim, 'messageId'> & {
    readonly amount: bigint;
    readonly utr: string | null;
  })[],
): Promise<Set<bigint>> {
  const rows = await tx.query<{ id: bigint }>(sql`
    with v as (select * from ${unnestRows({ accountId: 'bigint', fingerprint: 'text', amount: 'bigint', utr: 'text' }, repeats)})
    select f.message_id as id from v join message_fingerprints f on f.account_id = v.account_id and f.fingerprint = v.fingerprint
    union
    select m.id from v join messages m on m.utr = v.utr and m.account_id = v.account_id and m.amount = v.amount and m.direction = 'credit'`);
  return new Set(rows.map(({ id }) => id));
}

/** What became of messages that were reported before. */
export async function findMessages(
  tx: Queryable,
  monitorId: bigint,
  externalIds: readonly string[],
): Promise<MessageResult[]> {
  if (externalIds.length === 0) return [];
  return tx.query<MessageResult>(
    hot(
      'known messages',
      sql`
    select m.external_id as "messageId", m.state, m.order_id as "orderId"
    from message_keys k join messages m on m.id = k.message_id
    where k.monitor_id = ${monitorId} and k.external_id = any(${externalIds})`,
    ),
  );
}

const MESSAGE = {
  id: 'bigint',
  monitorId: 'bigint',
  externalId: 'text',
  kind: 'text',
  sender: 'text',
  text: 'text',
  accountId: 'bigint',
  supplierId: 'bigint',
  templateId: 'text',
  bank: 'text',
  direction: 'text',
  currency: 'text',
  amount: 'bigint',
  balance: 'bigint',
  accountTail: 'text',
  utr: 'text',
  payer: 'text',
  remark: 'text',
  bankTime: 'timestamptz',
  timePrecision: 'text',
  state: 'text',
  reason: 'text',
  orderId: 'bigint',
  receivedAt: 'timestamptz',
  reportedAt: 'timestamptz',
} as const;

/** Stores messages and joins those that completed an order to it. */
export function insertMessages(tx: Tx, rows: readonly MessageRow[], at: Date): void {
  if (rows.length === 0) return;
  tx.send(
    hot(
      'insert messages',
      sql`insert into messages (${columnNames(MESSAGE)}) select * from ${unnestRows(MESSAGE, rows)}`,
    ),
  );
  insertMatches(
    tx,
    rows.flatMap(({ id, state, orderId, evidence }) =>
      state === 'matched' ? [{ orderId: orderId!, messageId: id, evidence: evidence! }] : [],
    ),
    at,
  );
}

const MATCH = { orderId: 'bigint', messageId: 'bigint', evidence: 'text' } as const;

/** With this evidence, `decide` has already looked for other wordings of the credit. */
const LOOKS_FOR_WORDINGS: ReadonlySet<string> = new Set([
  'exactAmount',
  'amountAndName',
] satisfies Evidence[]);

/** Joins stored messages to the orders they completed. Open credits that may be other wordings of them become ambiguous. */
export function insertMatches(
  tx: Tx,
  rows: readonly { readonly orderId: bigint; readonly messageId: bigint; readonly evidence: string }[],
  at: Date,
): void {
  if (rows.length === 0) return;
  tx.send(
    hot(
      'insert matches',
      sql`
    insert into message_matches (${columnNames(MATCH)}, created_at)
    select *, ${at} from ${unnestRows(MATCH, rows)}`,
    ),
  );
  const named = rows.filter(({ evidence }) => !LOOKS_FOR_WORDINGS.has(evidence));
  if (named.length > 0)
    closeOtherWordings(
      tx,
      named.map(({ messageId }) => messageId),
      named.flatMap(({ messageId, evidence }) => (evidence === 'supplement' ? [messageId] : [])),
      at,
    );
}

export interface MonitorLogRow {
  readonly monitorId: bigint;
  readonly phase: 'received' | 'matched' | 'failed';
  readonly messageId: bigint | null;
  readonly orderId: bigint | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

const MONITOR_LOG = {
  id: 'bigint',
  monitorId: 'bigint',
  phase: 'text',
  messageId: 'bigint',
  orderId: 'bigint',
  detail: 'jsonb',
} as const;

export function writeMonitorLog(platform: Platform, tx: Tx, rows: readonly MonitorLogRow[]): void {
  tx.send(
    hot(
      'write monitor log',
      sql`
    insert into monitor_log (${columnNames(MONITOR_LOG)}, created_at)
    select *, ${platform.clock.now()} from ${unnestRows(
      MONITOR_LOG,
      rows.map((row) => ({ id: platform.ids.next(), ...row })),
    )}`,
    ),
  );
}

/** Which of these references the account's stored messages have. */
export async function referencesStored(
  db: Queryable,
  accountId: bigint,
  references: readonly string[],
): Promise<Set<string>> {
  if (references.length === 0) return new Set();
  const rows = await db.query<{ utr: string }>(
    hot(
      'references stored',
      sql`
    select utr from messages where utr = any(${references}) and account_id = ${accountId}`,
    ),
  );
  return new Set(rows.map(({ utr }) => utr));
}
