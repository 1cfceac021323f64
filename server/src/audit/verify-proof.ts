// Checks a proof of the audit: `node verify-proof.ts FILE PUBLIC-KEY …`. It uses Node alone and nothing of the platform, so that
// somebody else can run it, and read it first. docs/audit.md describes the file.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const FORMAT = 'sangam-audit-1';
const KINDS = ['audit', 'event', 'approval', 'decision', 'posting', 'entry'];
const LEAF = 41;
const ARCHIVED_LEAF = 48;
const PUBLIC_HEAD = '302a300506032b6570032100';

export interface ProofFault {
  readonly kind: string;
  /** The id of a row, or the number of a block. */
  readonly rowId: string;
  readonly fault: 'changed' | 'missing' | 'added' | 'moved';
}

export interface ProofResult {
  readonly blocks: number;
  /** Rows whose text is in the file and is as it was sealed. */
  readonly rows: number;
  /** Rows of order history that are in the archive and were archived as they were sealed. */
  readonly archived: number;
  readonly faults: readonly ProofFault[];
  /** The newest block, to compare with the published line. */
  readonly newest: { readonly number: string; readonly hash: string; readonly sealedAt: string } | undefined;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

interface BlockLine {
  readonly block: string;
  readonly hash: string;
  readonly signature: string;
  readonly leaves?: string;
}
interface RowLine {
  readonly row: string;
  readonly id: string;
  readonly text: string;
}
interface ArchivedLine {
  readonly archived: string;
  readonly keyId: string;
  readonly signature: string;
}
type Head = [string, string, string, string, number, string, string, string, string];

/**
 * Reads and checks the lines of a proof. `keys`: the public keys in hex that the reader trusts. `whole`: every row of every block must be
 * in the file; otherwise only the rows in the file are checked. Throws when the lines are no proof.
 */
export async function verifyProof(
  lines: AsyncIterable<string>,
  keys: readonly string[],
  whole: boolean,
): Promise<ProofResult> {
  const trusted = new Map(
    keys.map((key) => [
      sha256(Buffer.from(key, 'hex')).slice(0, 16),
      createPublicKey({ key: Buffer.from(PUBLIC_HEAD + key, 'hex'), format: 'der', type: 'spki' }),
    ]),
  );
  const faults = new Map<string, ProofFault>();
  const name = (kind: string, rowId: string, fault: ProofFault['fault']) => {
    const key = `${kind}:${rowId}`;
    // Missing in its block and added in another block: the row was moved.
    const both = faults.get(key);
    const moved =
      both !== undefined && both.fault !== fault && both.fault !== 'changed' && fault !== 'changed';
    faults.set(key, { kind, rowId, fault: moved ? 'moved' : fault });
  };
  let [blocks, rows, archived, first] = [0, 0, 0, true];
  /** History that is in the archive, by the signed lists of the latest blocks: hashes by id. */
  const away = new Map<string, string>();
  let areLists = false;
  let last: { head: Head; hash: string } | undefined;
  /** The rows of the current block: their hashes by kind and id, and those whose texts have come. */
  let leaves = new Map<string, string>();
  let contents = new Set<string>();
  const finish = () => {
    if (!whole) return;
    for (const [key, sealed] of leaves) {
      const [kind, id] = key.split(':') as [string, string];
      const hash = kind === 'event' ? away.get(id) : undefined;
      if (hash === sealed) archived += 1;
      else name(kind, id, hash === undefined ? 'missing' : 'changed');
    }
  };
  for await (const line of lines) {
    if (line === '') continue;
    const read = JSON.parse(line) as { format?: string } & Partial<BlockLine & RowLine & ArchivedLine>;
    if (first && read.format !== FORMAT) throw new Error('this is no proof of an audit');
    if (first) first = false;
    else if (read.archived !== undefined) {
      if (!areLists) {
        finish();
        leaves = new Map();
        away.clear();
      }
      areLists = true;
      const list = read as ArchivedLine;
      const key = trusted.get(list.keyId);
      const bytes = Buffer.from(list.archived, 'base64');
      const head = JSON.stringify(['sangam-archived-1', sha256(bytes)]);
      const signature = Buffer.from(list.signature, 'hex');
      if (key && verify(null, Buffer.from(sha256(head), 'hex'), key, signature))
        for (let at = 0; at < bytes.length; at += ARCHIVED_LEAF)
          away.set(
            String(bytes.readBigInt64BE(at)),
            bytes.subarray(at + 16, at + ARCHIVED_LEAF).toString('hex'),
          );
    } else if (read.block !== undefined) {
      areLists = false;
      finish();
      const { block, hash, signature } = read as BlockLine;
      const head = JSON.parse(block) as Head;
      const [format, number, fromTx, , count, leavesHash, , previous, keyId] = head;
      const bytes = read.leaves === undefined ? undefined : Buffer.from(read.leaves, 'base64');
      const key = trusted.get(keyId);
      const isSound =
        format === FORMAT &&
        sha256(block) === hash &&
        key !== undefined &&
        verify(null, Buffer.from(hash, 'hex'), key, Buffer.from(signature, 'hex')) &&
        (bytes === undefined || (sha256(bytes) === leavesHash && bytes.length === count * LEAF)) &&
        (!whole ||
          (bytes !== undefined && (last !== undefined || (number === '1' && previous === sha256('')))));
      if (last) {
        for (let missing = BigInt(last.head[1]) + 1n; missing < BigInt(number); missing += 1n)
          name('block', String(missing), 'missing');
        const isNext = BigInt(last.head[1]) + 1n === BigInt(number);
        if (isSound && isNext && (previous !== last.hash || fromTx !== last.head[3]))
          name('block', number, 'changed');
      }
      if (!isSound) name('block', number, 'changed');
      leaves = isSound && bytes ? leavesOf(bytes) : new Map<string, string>();
      contents = new Set([...leaves].map(([each, leaf]) => `${each.split(':')[0]!}:${leaf}`));
      last = { head, hash };
      blocks += 1;
    } else if (read.row !== undefined) {
      const { row, id, text } = read as RowLine;
      const key = `${row}:${id}`;
      const sealed = leaves.get(key);
      const now = sha256(text);
      leaves.delete(key);
      if (sealed === undefined) name(row, id, 'added');
      else if (sealed !== now) name(row, id, contents.has(`${row}:${now}`) ? 'moved' : 'changed');
      else rows += 1;
    } else throw new Error('a line is neither a block nor a row');
  }
  finish();
  const newest = last && { number: last.head[1], hash: last.hash, sealedAt: last.head[6] };
  return { blocks, rows, archived, faults: [...faults.values()], newest };
}

function leavesOf(bytes: Buffer): Map<string, string> {
  const leaves = new Map<string, string>();
  for (let at = 0; at < bytes.length; at += LEAF)
    leaves.set(
      `${KINDS[bytes[at]!]!}:${bytes.readBigInt64BE(at + 1)}`,
      bytes.subarray(at + 9, at + LEAF).toString('hex'),
    );
  return leaves;
}

/** The result for people, one line for each finding. */
export function sayProof({ blocks, rows, archived, faults, newest }: ProofResult): string {
  const found = faults.map(({ kind, rowId, fault }) => `${kind} ${rowId} ${fault}`);
  const end = newest
    ? `Newest block ${newest.number}, ${newest.hash}, sealed at ${newest.sealedAt}.`
    : 'There is no block.';
  const total = faults.length === 0 ? 'All as it was sealed' : `NOT as it was sealed: ${faults.length} found`;
  return [
    ...found,
    `${total}: ${blocks} blocks, ${rows} rows${archived > 0 ? `, ${archived} more in the archive` : ''}.`,
    end,
  ].join('\n');
}

export const linesOf = (file: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(file), crlfDelay: Infinity });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [file, ...keys] = process.argv.slice(2);
  if (file === undefined || keys.length === 0)
    throw new Error('Usage: node verify-proof.ts FILE PUBLIC-KEY …');
  const result = await verifyProof(linesOf(file), keys, false);
  process.stdout.write(`${sayProof(result)}\n`);
  process.exitCode = result.faults.length === 0 ? 0 : 1;
}
