import { id as idText } from '@sangam/contract/fields.ts';
import { type Database, empty, join, type Sql, sql, type Tx } from '../platform/db/database.ts';
import { listsWith } from './archived.ts';
import { type Block, headOf, readBlocks } from './block.ts';
import { SEALED_KINDS, type SealedKind, tableOf, textOf, txOf, unpackLeaves } from './leaves.ts';
import { idsOfUser, isSubject, namesOf, splitSubject } from './subject.ts';

/** Blocks read in one snapshot. */
const AT_ONCE = 20n;

/**
 * SQL conditions for the rows (alias `a`) about a subject, by kind. A kind without a condition has no rows about it. The audit's entries are
 * those that the screen lists as 'everything ever done to this', and of a user also what the user did.
 */
function tellsOf(subject: string): Partial<Record<SealedKind, Sql>> {
  const { kind, id } = splitSubject(subject);
  const audited = isSubject(subject);
  if (kind === undefined) return { audit: audited };
  const asked = sql`'approval:' || a.id = any(${namesOf(kind, id)})`;
  const number = idText.safeParse(id).success ? BigInt(id) : -1n;
  const users = idsOfUser(id);
  return {
    audit: kind === 'user' ? sql`(${audited} or a.user_id in ${users})` : audited,
    approval: asked,
    decision: asked,
    ...(kind === 'order' && {
      event: sql`a.order_id = ${number}`,
      posting: sql`a.order_id = ${number}`,
      entry: sql`a.posting_id in (select id from postings where order_id = ${number})`,
    }),
    ...(kind === 'user' && { event: sql`a.actor_kind = 'user' and a.actor_id in ${users}` }),
  };
}

interface Row {
  readonly kind: SealedKind;
  readonly id: bigint;
  readonly txId: bigint;
  readonly text: string;
}

function rowsBetween(
  tx: Tx,
  from: bigint,
  to: bigint,
  only: Partial<Record<SealedKind, Sql>> | undefined,
): Promise<Row[]> {
  const parts = SEALED_KINDS.filter((kind) => !only || only[kind]).map(
    (kind) => sql`
      select ${kind} as kind, id, ${txOf(kind)} as "txId", ${textOf(kind)} as text from ${tableOf(kind)} a
      where ${txOf(kind)} >= ${from}::bigint and ${txOf(kind)} < ${to}::bigint ${only ? sql`and ${only[kind]!}` : empty}`,
  );
  return tx.query<Row>(sql`select * from (${join(parts, ' union all ')}) r order by "txId", kind, id`);
}

/** The first block with a row about the subject. Undefined when there is none. */
async function firstBlock(db: Database, only: Partial<Record<SealedKind, Sql>>): Promise<bigint | undefined> {
  const parts = SEALED_KINDS.filter((kind) => only[kind]).map(
    (kind) => sql`select min(${txOf(kind)}) as tx from ${tableOf(kind)} a where ${only[kind]!}`,
  );
  const [first] = await db.query<{ number: bigint | null }>(sql`
    select min(b.number) as number from (${join(parts, ' union all ')}) r join audit_blocks b on b.from_tx <= r.tx and b.to_tx > r.tx`);
  return first?.number ?? undefined;
}

/**
 * The lines of a proof, of everything or of one subject. A proof of one subject has the blocks with its rows, and the heads of all blocks
 * after the first of these.
 */
export async function* proofLines(db: Database, subject?: string): AsyncGenerator<string, void, void> {
  yield JSON.stringify({ format: 'sangam-audit-1', subject });
  const only = subject === undefined ? undefined : tellsOf(subject);
  const first = only ? await firstBlock(db, only) : 1n;
  if (first === undefined) return;
  for (let at = first; ; at += AT_ONCE) {
    const lines = await db.tx(async (tx) => {
      await tx.query(sql`set transaction isolation level repeatable read read only`);
      const blocks = await readBlocks(tx, sql`number >= ${at} and number < ${at + AT_ONCE}`);
      const [begin, end] = [blocks[0], blocks.at(-1)];
      if (!begin || !end) return [];
      const rows = await rowsBetween(tx, begin.fromTx, end.toTx, only);
      const lists = only ? [] : await archivedOf(tx, blocks, rows);
      return [
        ...lists,
        ...blocks.flatMap((block) => {
          const own = rows.filter(({ txId }) => txId >= block.fromTx && txId < block.toTx);
          const head = {
            block: headOf(block),
            hash: block.hash.toString('hex'),
            signature: block.signature.toString('hex'),
            ...((!only || own.length > 0) && { leaves: block.leaves.toString('base64') }),
          };
          return [head, ...own.map(({ kind, id, text }) => ({ row: kind, id: String(id), text }))];
        }),
      ];
    });
    for (const line of lines) yield JSON.stringify(line);
    if (lines.length === 0 && !(await hasAfter(db, at))) return;
  }
}

/** The signed lists with history of these blocks that is in the archive and no longer a row. */
async function archivedOf(tx: Tx, blocks: readonly Block[], rows: readonly Row[]): Promise<object[]> {
  const here = new Set(rows.filter(({ kind }) => kind === 'event').map(({ id }) => id));
  const gone = blocks
    .flatMap(({ leaves }) => unpackLeaves(leaves))
    .filter(({ kind, id }) => kind === 'event' && !here.has(id));
  if (gone.length === 0) return [];
  const lists = await listsWith(
    tx,
    gone.map(({ id }) => id),
  );
  return lists.map(({ leaves, keyId, signature }) => ({
    archived: leaves.toString('base64'),
    keyId,
    signature: signature.toString('hex'),
  }));
}

async function hasAfter(db: Database, number: bigint): Promise<boolean> {
  const [row] = await db.query<{ more: boolean }>(
    sql`select exists (select from audit_blocks where number > ${number}) as more`,
  );
  return row!.more;
}
