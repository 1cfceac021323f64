import { type Queryable, type Sql, raw, sql } from '../platform/db/database.ts';

/** The kinds of sealed rows. The first byte of a leaf is its kind's position in this list, so never reorder it. */
export const SEALED_KINDS = ['audit', 'event', 'approval', 'decision', 'posting', 'entry'] as const;
export type SealedKind = (typeof SEALED_KINDS)[number];

interface Sealed {
  readonly table: string;
  /** The column with the number of the transaction that wrote the sealed row. */
  readonly tx: string;
  /** SQL: a row's text is a JSON array of these values. Times are microseconds since 1970. */
  readonly text: string;
}

const micros = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`;

/**
 * What is sealed of each kind: the whole row, in this order. Of an approval the request and the decision are sealed separately, each when
 * it is made; secrets in it by their SHA-256. Never change a list: its blocks would no longer verify. A new column needs a new kind.
 */
export const SEALED: Readonly<Record<SealedKind, Sealed>> = {
  audit: {
    table: 'audit_log',
    tx: 'tx_id',
    text: `tx_id, user_id, role, action, subject, before, after, reason, ip, device, session_id, approval_id, ${micros('created_at')}`,
  },
  event: {
    table: 'order_events',
    tx: 'tx_id',
    text: `tx_id, order_id, kind, from_status, to_status, actor_kind, actor_id, reason, ip, data, ${micros('created_at')}`,
  },
  approval: {
    table: 'approvals',
    tx: 'tx_id',
    text: `tx_id, kind, subject_kind, subject_id, payload, encode(sha256(sealed), 'hex'), reason, started_by, started_as,
      ${micros('started_at')}, ${micros('expires_at')}, is_sole, request_key`,
  },
  decision: {
    table: 'approvals',
    tx: 'decided_tx_id',
    text: `decided_tx_id, status, decided_by, ${micros('decided_at')}, decide_reason, result`,
  },
  posting: {
    table: 'postings',
    tx: 'tx_id',
    text: `tx_id, key, kind, order_id, currency, entry_count, entry_sum, reverses, reason, user_id, ${micros('created_at')}`,
  },
  entry: {
    table: 'ledger_entries',
    tx: 'tx_id',
    text: `tx_id, posting_id, account_id, amount, balance_after, ${micros('created_at')}`,
  },
};

/** The columns of a kind's text. Only for kinds whose text is made of plain columns and times. */
export const columnsOfText = (kind: SealedKind): string[] =>
  SEALED[kind].text.split(',').map((part) => /extract\(epoch from (\w+)\)/.exec(part)?.[1] ?? part.trim());

/** SQL: a row's text. */
export const textOf = (kind: SealedKind): Sql => sql`json_build_array(${raw(SEALED[kind].text)})::text`;
export const tableOf = (kind: SealedKind): Sql => raw(SEALED[kind].table);
export const txOf = (kind: SealedKind): Sql => raw(SEALED[kind].tx);

/** Bytes of one row in the answer of `rowsOf`: transaction (8), id (8), SHA-256 (32). */
const ROW = 48;
const HASH_AT = 16;

/** A sealed row as the database holds it now. */
export interface HashedRow {
  readonly kind: SealedKind;
  readonly txId: bigint;
  readonly id: bigint;
  readonly hash: Buffer;
}

/**
 * A kind's rows of the transactions from `from` to below `to`, ordered by transaction and id. For each row: the head, its id and its
 * SHA-256.
 */
async function hashed(db: Queryable, kind: SealedKind, head: Sql, from: bigint, to: bigint): Promise<Buffer> {
  const [answer] = await db.query<{ rows: Buffer | null }>(sql`
    select string_agg(${head} || int8send(id) || sha256(convert_to(${textOf(kind)}, 'UTF8')), '' order by ${txOf(kind)}, id) as rows
    from ${tableOf(kind)} where ${txOf(kind)} >= ${from}::bigint and ${txOf(kind)} < ${to}::bigint`);
  return answer!.rows ?? Buffer.alloc(0);
}

/**
 * The rows of the transactions from `from` to below `to`, ordered by kind, transaction and id. The database hashes them and answers once
 * for each kind.
 */
export async function rowsOf(db: Queryable, from: bigint, to: bigint): Promise<HashedRow[]> {
  const answers = await Promise.all(
    SEALED_KINDS.map((kind) => hashed(db, kind, sql`int8send(${txOf(kind)})`, from, to)),
  );
  return answers.flatMap((rows, index) => split(SEALED_KINDS[index]!, rows));
}

/** The same rows as leaves, packed by the database, so that this process does no work for each row. */
export async function leavesOf(db: Queryable, from: bigint, to: bigint): Promise<Buffer> {
  return Buffer.concat(
    await Promise.all(
      SEALED_KINDS.map((kind, place) => hashed(db, kind, raw(`'\\x0${place}'::bytea`), from, to)),
    ),
  );
}

function split(kind: SealedKind, bytes: Buffer): HashedRow[] {
  const rows: HashedRow[] = [];
  for (let at = 0; at < bytes.length; at += ROW)
    rows.push({
      kind,
      txId: bytes.readBigInt64BE(at),
      id: bytes.readBigInt64BE(at + 8),
      hash: bytes.subarray(at + HASH_AT, at + ROW),
    });
  return rows;
}

export const LEAF = 41;

/** A row as its block holds it. */
export interface Leaf {
  readonly kind: SealedKind;
  readonly id: bigint;
  readonly hash: Buffer;
}

export function packLeaves(rows: readonly Leaf[]): Buffer {
  const bytes = Buffer.alloc(rows.length * LEAF);
  rows.forEach(({ kind, id, hash }, index) => {
    const at = index * LEAF;
    bytes[at] = SEALED_KINDS.indexOf(kind);
    bytes.writeBigInt64BE(id, at + 1);
    hash.copy(bytes, at + 9);
  });
  return bytes;
}

/** Every kind is known here, because the bytes were checked against the block's signed head before. */
export function unpackLeaves(bytes: Buffer): Leaf[] {
  return Array.from({ length: bytes.length / LEAF }, (_, index) => {
    const at = index * LEAF;
    return {
      kind: SEALED_KINDS[bytes[at]!]!,
      id: bytes.readBigInt64BE(at + 1),
      hash: bytes.subarray(at + 9, at + LEAF),
    };
  });
}
