import { type Queryable, sql, type Tx } from '../platform/db/database.ts';
import type { AuditSeal } from '../platform/audit/signing-key.ts';
import { archivedHashes } from './archived.ts';
import { type Block, hashOf, NO_BLOCK } from './block.ts';
import {
  type HashedRow,
  type Leaf,
  packLeaves,
  rowsOf,
  SEALED_KINDS,
  type SealedKind,
  tableOf,
  txOf,
  unpackLeaves,
} from './leaves.ts';

/** `moved`: the row is there with another transaction, or its content has another id. */
export type FaultName = 'changed' | 'missing' | 'added' | 'moved';

/** Something that differs from what was sealed. */
export interface Fault {
  readonly kind: SealedKind | 'block';
  /** The id of a row, or the number of a block. */
  readonly rowId: bigint;
  readonly fault: FaultName;
  /** The block in which the row was sealed, or to which it would belong. Null: in no block. */
  readonly block: bigint | null;
}

/** Finds faults in the blocks themselves: their numbers, their chain, their signatures. `before` is the block before the first. */
async function headFaults(
  seal: AuditSeal,
  blocks: readonly Block[],
  before: Pick<Block, 'number' | 'hash' | 'toTx'> | undefined,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  let last = before ?? { number: 0n, hash: NO_BLOCK, toTx: 0n };
  for (const block of blocks) {
    for (let number = last.number + 1n; number < block.number; number += 1n)
      faults.push({ kind: 'block', rowId: number, fault: 'missing', block: number });
    const isNext = block.number === last.number + 1n;
    const isSound =
      block.hash.equals(hashOf(block)) &&
      (await seal.verify(block.keyId, block.hash, block.signature)) &&
      (!isNext || (block.previous.equals(last.hash) && block.fromTx === last.toTx));
    if (!isSound) faults.push({ kind: 'block', rowId: block.number, fault: 'changed', block: block.number });
    last = block;
  }
  return faults;
}

/**
 * Compares consecutive blocks with the rows in the database, in one snapshot. Each fault names a kind and an id or number. `rowCount` is how
 * many rows there are.
 */
export async function checkBlocks(
  tx: Tx,
  seal: AuditSeal,
  blocks: readonly Block[],
  before: Pick<Block, 'number' | 'hash' | 'toTx'> | undefined,
): Promise<{ readonly faults: Fault[]; readonly rowCount: number }> {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (!first || !last) return { faults: [], rowCount: 0 };
  const faults = await headFaults(seal, blocks, before);
  const broken = new Set(faults.map(({ rowId }) => rowId));
  const rows = await rowsOf(tx, first.fromTx, last.toTx);
  const byKind = SEALED_KINDS.map((kind) => new Cursor(rows.filter((row) => row.kind === kind)));
  for (const block of blocks) {
    const now = byKind.flatMap((cursor) => cursor.below(block.fromTx, block.toTx));
    // When the block's own list cannot be trusted, only the block is reported; its rows cannot be checked.
    if (!broken.has(block.number) && !packLeaves(now).equals(block.leaves))
      faults.push(...(await rowFaults(tx, seal, block, now)));
  }
  return { faults, rowCount: rows.length };
}

/** Rows of one kind, ordered by transaction, read block by block. */
class Cursor {
  readonly #rows: readonly HashedRow[];
  #at = 0;

  constructor(rows: readonly HashedRow[]) {
    this.#rows = rows;
  }

  below(from: bigint, to: bigint): readonly HashedRow[] {
    while ((this.#rows[this.#at]?.txId ?? to) < from) this.#at += 1;
    const begin = this.#at;
    while ((this.#rows[this.#at]?.txId ?? to) < to) this.#at += 1;
    return this.#rows.slice(begin, this.#at);
  }
}

const nameOf = ({ kind, id }: Pick<Leaf, 'kind' | 'id'>) => `${kind}:${id}`;
const contentOf = ({ kind, hash }: Leaf) => `${kind}:${hash.toString('hex')}`;

async function rowFaults(tx: Tx, seal: AuditSeal, block: Block, now: readonly Leaf[]): Promise<Fault[]> {
  const sealed = unpackLeaves(block.leaves);
  const [was, is] = [sealed, now].map((leaves) => new Map(leaves.map((leaf) => [nameOf(leaf), leaf])));
  const contents = new Set(sealed.map(contentOf));
  const faults: Fault[] = [];
  const add = ({ kind, id }: Leaf, fault: FaultName) =>
    faults.push({ kind, rowId: id, fault, block: block.number });
  for (const leaf of sealed) {
    const row = is!.get(nameOf(leaf));
    if (row && !row.hash.equals(leaf.hash)) add(leaf, contents.has(contentOf(row)) ? 'moved' : 'changed');
  }
  const gone = sealed.filter((leaf) => !is!.has(nameOf(leaf)));
  const archived = await archivedHashes(
    tx,
    seal,
    gone.filter(({ kind }) => kind === 'event').map(({ id }) => id),
  );
  for (const [leaf, exists] of await existing(tx, gone)) {
    const hash = leaf.kind === 'event' && !exists ? archived.get(leaf.id) : undefined;
    if (hash && !hash.equals(leaf.hash)) add(leaf, 'changed');
    else if (!hash) add(leaf, exists ? 'moved' : 'missing');
  }
  for (const row of now) if (!was!.has(nameOf(row)) && !(await isSealed(tx, row))) add(row, 'added');
  return faults;
}

/** Which of the rows exist, in whatever transaction. */
async function existing(tx: Tx, leaves: readonly Leaf[]): Promise<(readonly [Leaf, boolean])[]> {
  const found = new Set<string>();
  for (const kind of SEALED_KINDS) {
    const ids = leaves.filter((leaf) => leaf.kind === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    const rows = await tx.query<{ id: bigint }>(sql`
      select id from ${tableOf(kind)} where id = any(${ids}::bigint[]) and ${txOf(kind)} is not null`);
    for (const { id } of rows) found.add(nameOf({ kind, id }));
  }
  return leaves.map((leaf) => [leaf, found.has(nameOf(leaf))]);
}

/**
 * Whether some block has the row. Then the row was moved, and that block reports it. This reads all blocks, so it runs only after a fault.
 */
async function isSealed(db: Queryable, { kind, id }: Leaf): Promise<boolean> {
  const name = packLeaves([{ kind, id, hash: Buffer.alloc(32) }]).subarray(0, 9);
  const [found] = await db.query<{ found: boolean }>(sql`
    select exists (select from audit_blocks where position(${name}::bytea in leaves) % 41 = 1) as found`);
  return found!.found;
}

/** Rows with transaction numbers that have not been given out yet. No block would ever hold them. */
export async function rowsOutside(tx: Tx): Promise<Fault[]> {
  const [now] = await tx.query<{ next: bigint }>(
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next`,
  );
  const found: Leaf[] = [];
  for (const kind of SEALED_KINDS) {
    const rows = await tx.query<{ id: bigint }>(sql`
      select id from ${tableOf(kind)} where ${txOf(kind)} < 0
      union all select id from ${tableOf(kind)} where ${txOf(kind)} >= ${now!.next}::bigint`);
    found.push(...rows.map(({ id }) => ({ kind, id, hash: NO_BLOCK })));
  }
  const faults: Fault[] = [];
  for (const leaf of found)
    if (!(await isSealed(tx, leaf)))
      faults.push({ kind: leaf.kind, rowId: leaf.id, fault: 'added', block: null });
  return faults;
}

/** One sentence for each fault, for logs and alerts. */
export function sentenceOf({ kind, rowId, fault, block }: Fault): string {
  return `${kind} ${rowId} ${fault}${block === null ? '' : ` (block ${block})`}`;
}
