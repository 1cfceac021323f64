import { createHash } from 'node:crypto';
import { type Queryable, type Sql, sql } from '../platform/db/database.ts';

/** A block of sealed rows. */
export interface Block {
  readonly number: bigint;
  readonly fromTx: bigint;
  readonly toTx: bigint;
  readonly rowCount: number;
  readonly leaves: Buffer;
  readonly sealedAt: Date;
  readonly previous: Buffer;
  readonly hash: Buffer;
  readonly keyId: string;
  readonly signature: Buffer;
}

/** The hash that the first block has as its predecessor. */
export const NO_BLOCK = createHash('sha256').digest();

export const BLOCK_COLUMNS = sql`
  number, from_tx as "fromTx", to_tx as "toTx", row_count as "rowCount", leaves, sealed_at as "sealedAt", previous, hash,
  key_id as "keyId", signature`;

/** The text whose SHA-256 is the block's hash. verify-proof.ts makes the same text. */
export function headOf(block: Omit<Block, 'hash' | 'signature'>): string {
  const leaves = createHash('sha256').update(block.leaves).digest('hex');
  return JSON.stringify([
    'sangam-audit-1',
    String(block.number),
    String(block.fromTx),
    String(block.toTx),
    block.rowCount,
    leaves,
    block.sealedAt.toISOString(),
    block.previous.toString('hex'),
    block.keyId,
  ]);
}

export function hashOf(block: Omit<Block, 'hash' | 'signature'>): Buffer {
  return createHash('sha256').update(headOf(block)).digest();
}

/** The blocks that match a condition, lowest number first. */
export function readBlocks(db: Queryable, where: Sql): Promise<Block[]> {
  return db.query<Block>(sql`select ${BLOCK_COLUMNS} from audit_blocks where ${where} order by number`);
}

/** The newest block without its leaves. */
export async function newestBlock(
  db: Queryable,
): Promise<Pick<Block, 'number' | 'toTx' | 'hash' | 'sealedAt'> | undefined> {
  const [block] = await db.query<Pick<Block, 'number' | 'toTx' | 'hash' | 'sealedAt'>>(sql`
    select number, to_tx as "toTx", hash, sealed_at as "sealedAt" from audit_blocks order by number desc limit 1`);
  return block;
}
