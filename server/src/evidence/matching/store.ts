import { type Queryable, type Tx, hot, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { MessageResult, MessageRow, MonitorAccount } from './message.ts';

export function monitorAccounts(tx: Tx, monitorId: bigint): Promise<MonitorAccount[]> {
  return tx.query<MonitorAccount>(sql`
    select id, supplier_id as "supplierId", bank, currency, account_number as "accountNumber", sender_header as "senderHeader",
      balance_mode as "balanceMode"
    from accounts where monitor_id = ${monitorId}`);
}

/**
 * Claims the device's message ids; returns those not told before. A rival telling the same message is waited for,
 * so exactly one call takes it in.
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
    from unnest(${[...ids.keys()]}::text[], ${[...ids.values()]}::bigint[]) as v (external_id, message_id)
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

/** Claims fingerprints; returns the messages that tell a movement another message has told. */
export async function claimFingerprints(tx: Tx, claims: readonly FingerprintClaim[]): Promise<Set<bigint>> {
  if (claims.length === 0) return new Set();
  const rows = await tx.query<{ messageId: bigint }>(
    hot(
      'claim fingerprints',
      sql`
    insert into message_fingerprints (account_id, fingerprint, message_id)
    select account_id, fingerprint, message_id from unnest(
      ${claims.map((claim) => claim.accountId)}::bigint[], ${claims.map((claim) => claim.fingerprint)}::text[],
      ${claims.map((claim) => claim.messageId)}::bigint[]) as v (account_id, fingerprint, message_id)
    order by account_id, fingerprint on conflict do nothing returning message_id as "messageId"`,
    ),
  );
  const won = new Set(rows.map((row) => row.messageId));
  return new Set(claims.map((claim) => claim.messageId).filter((id) => !won.has(id)));
}

/** What became of messages told before. */
export async function findMessages(
  tx: Tx,
  monitorId: bigint,
  externalIds: readonly string[],
): Promise<MessageResult[]> {
  if (externalIds.length === 0) return [];
  return tx.query<MessageResult>(sql`
    select m.external_id as "messageId", m.state, m.order_id as "orderId"
    from message_keys k join messages m on m.id = k.message_id
    where k.monitor_id = ${monitorId} and k.external_id = any(${externalIds})`);
}

export function insertMessages(tx: Tx, rows: readonly MessageRow[]): void {
  if (rows.length === 0) return;
  tx.send(
    hot(
      'insert messages',
      sql`
    insert into messages (id, monitor_id, external_id, kind, sender, text, account_id, supplier_id, template_id, bank, direction,
      currency, amount, balance, account_tail, utr, payer, remark, bank_time, time_precision, state, reason, order_id,
      received_at, reported_at)
    select * from unnest(
      ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.monitorId)}::bigint[],
      ${rows.map((row) => row.externalId)}::text[], ${rows.map((row) => row.kind)}::text[],
      ${rows.map((row) => row.sender)}::text[], ${rows.map((row) => row.text)}::text[],
      ${rows.map((row) => row.accountId)}::bigint[], ${rows.map((row) => row.supplierId)}::bigint[],
      ${rows.map((row) => row.templateId)}::text[], ${rows.map((row) => row.bank)}::text[],
      ${rows.map((row) => row.direction)}::text[], ${rows.map((row) => row.currency)}::text[],
      ${rows.map((row) => row.amount)}::bigint[], ${rows.map((row) => row.balance)}::bigint[],
      ${rows.map((row) => row.accountTail)}::text[], ${rows.map((row) => row.utr)}::text[],
      ${rows.map((row) => row.payer)}::text[], ${rows.map((row) => row.remark)}::text[],
      ${rows.map((row) => row.bankTime)}::timestamptz[], ${rows.map((row) => row.timePrecision)}::text[],
      ${rows.map((row) => row.state)}::text[], ${rows.map((row) => row.reason)}::text[],
      ${rows.map((row) => row.orderId)}::bigint[], ${rows.map((row) => row.receivedAt)}::timestamptz[],
      ${rows.map((row) => row.reportedAt)}::timestamptz[])`,
    ),
  );
}

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
    insert into message_matches (order_id, message_id, evidence, created_at)
    select order_id, message_id, evidence, ${at} from unnest(
      ${rows.map((row) => row.orderId)}::bigint[], ${rows.map((row) => row.messageId)}::bigint[],
      ${rows.map((row) => row.evidence)}::text[]) as v (order_id, message_id, evidence)`,
    ),
  );
}

export interface MonitorLogRow {
  readonly monitorId: bigint;
  readonly phase: 'received' | 'matched' | 'failed';
  readonly messageId: bigint | null;
  readonly orderId: bigint | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export function writeMonitorLog(platform: Platform, tx: Tx, rows: readonly MonitorLogRow[]): void {
  tx.send(
    hot(
      'write monitor log',
      sql`
    insert into monitor_log (id, monitor_id, phase, message_id, order_id, detail, created_at)
    select id, monitor_id, phase, message_id, order_id, detail, ${platform.clock.now()} from unnest(
      ${rows.map(() => platform.ids.next())}::bigint[], ${rows.map((row) => row.monitorId)}::bigint[],
      ${rows.map((row) => row.phase)}::text[], ${rows.map((row) => row.messageId)}::bigint[],
      ${rows.map((row) => row.orderId)}::bigint[], ${rows.map((row) => JSON.stringify(row.detail))}::jsonb[])
      as v (id, monitor_id, phase, message_id, order_id, detail)`,
    ),
  );
}

/** Which of these references stored messages of an account have. */
export async function referencesStored(
  db: Queryable,
  accountId: bigint,
  references: readonly string[],
): Promise<Set<string>> {
  if (references.length === 0) return new Set();
  const rows = await db.query<{ utr: string }>(sql`
    select utr from messages where utr = any(${references}) and account_id = ${accountId}`);
  return new Set(rows.map(({ utr }) => utr));
}
