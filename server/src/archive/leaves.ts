import { ARCHIVED_LEAF, archivedHead } from '../audit/archived.ts';
import { columnsOfText } from '../audit/leaves.ts';
import type { AuditSeal } from '../platform/audit/signing-key.ts';
import { type Queryable, sql } from '../platform/db/database.ts';
import { sha256 } from './file.ts';
import { textsOf } from './lines.ts';

/** Sealed rows that leave the database, ordered by id, in the form that audit/archived.ts reads. */
export type LeafList = Buffer;

const ROWS = 20_000;

/** How the database writes a column in a row's sealed text. */
type Writer = (text: string | null) => string;
const asNumber: Writer = (text) => text ?? 'null';
const asText: Writer = (text) => JSON.stringify(text);
const asJson: Writer = (text) => text ?? 'null';
const asMicros: Writer = (text) => String(microsOf(text!));
const WRITERS: Readonly<Record<string, Writer>> = {
  tx_id: asNumber,
  order_id: asNumber,
  kind: asText,
  from_status: asNumber,
  to_status: asNumber,
  actor_kind: asText,
  actor_id: asNumber,
  reason: asText,
  ip: asText,
  data: asJson,
  created_at: asMicros,
};

/**
 * Makes the hashes of history rows that leave, from their lines. They equal the hashes that the database makes of the rows
 * (audit/leaves.ts).
 */
export class EventLeaves {
  readonly #places: readonly (readonly [number, Writer])[];
  readonly #id: number;
  readonly #order: number;
  readonly #leaves: Buffer[] = [];

  constructor(columns: readonly string[]) {
    this.#places = columnsOfText('event').map((name) => [columns.indexOf(name), WRITERS[name]!]);
    [this.#id, this.#order] = [columns.indexOf('id'), columns.indexOf('order_id')];
  }

  /** Takes lines of the archive. Their times are in UTC. */
  add(lines: Buffer): void {
    for (const line of lines.toString().split('\n')) {
      const texts = textsOf(line);
      const leaf = Buffer.allocUnsafe(ARCHIVED_LEAF);
      leaf.writeBigInt64BE(BigInt(texts[this.#id]!), 0);
      leaf.writeBigInt64BE(BigInt(texts[this.#order]!), 8);
      sha256(`[${this.#places.map(([place, write]) => write(texts[place]!)).join(', ')}]`).copy(leaf, 16);
      this.#leaves.push(leaf);
    }
  }

  /** All hashes ordered by id, in lists of limited length. */
  lists(): LeafList[] {
    const sorted = this.#leaves.toSorted(Buffer.compare);
    return Array.from({ length: Math.ceil(sorted.length / ROWS) }, (_, list) =>
      Buffer.concat(sorted.slice(list * ROWS, (list + 1) * ROWS)),
    );
  }
}

let [lastSecond, lastMicros] = ['', 0];

/** Microseconds since 1970 of a time that the database wrote in UTC. */
function microsOf(text: string): number {
  const second = text.slice(0, 19);
  // Rows of the same second follow each other, so the last result is kept.
  if (second !== lastSecond)
    [lastSecond, lastMicros] = [second, Date.parse(`${second.replace(' ', 'T')}Z`) * 1000];
  const fraction = text[19] === '.' ? text.slice(20, text.indexOf('+')) : '';
  return lastMicros + Number(fraction.padEnd(6, '0'));
}

export async function insertLeaves(
  db: Queryable,
  seal: AuditSeal,
  archiveId: bigint,
  lists: readonly LeafList[],
): Promise<void> {
  await db.query(sql`delete from archived_events where archive_id = ${archiveId}`);
  for (const [number, leaves] of lists.entries()) {
    const signature = seal.sign(sha256(archivedHead(leaves)));
    await db.query(sql`
      insert into archived_events (archive_id, number, first_id, last_id, leaves, key_id, signature)
      values (${archiveId}, ${number}, ${leaves.readBigInt64BE(0)}, ${leaves.readBigInt64BE(leaves.length - ARCHIVED_LEAF)},
        ${leaves}, ${seal.keyId}, ${signature})`);
  }
}
