import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { importNameList } from '@sangam/contract/endpoints/name-list.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { MARK_KINDS } from '@sangam/contract/name-lists.ts';
import type { z } from 'zod';
import { startApproval } from '../approvals/start.ts';
import { audit } from '../platform/audit/record.ts';
import { sql } from '../platform/db/database.ts';
import { readCsv } from '../platform/files/csv.ts';
import { type Problem, problem, refuseFile } from '../platform/files/problems.ts';
import { textOf } from '../platform/files/upload.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { FormatProblem, type ListFile, oneForEach, readOfac, readOwnCsv, readUn } from './formats.ts';
import { markOf } from './party.ts';
import { nameScreen } from './screen.ts';
import { keepWhatIsLost, lockVersion, putEntries, putList, raiseVersion } from './store.ts';

type Input = z.output<typeof importNameList.input>;

/** The size of an unpacked file. The public lists have 2 to 10 MB. */
const LARGEST_FILE = 64 * 1024 * 1024;
const MOST_ENTRIES = 200_000;
const AT_ONCE = 1_000;

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);

/**
 * Imports a whole list. New and changed entries count at once, because they protect. Entries that the file no longer has, and names and
 * numbers that it has taken out of an entry, are removed only after a second person agrees.
 */
export async function importList(
  platform: Platform,
  viewer: Viewer,
  input: Input,
): Promise<z.input<typeof importNameList.output> | Refusal> {
  const file = await readList(input, viewer.locale);
  if (isRefusal(file)) return file;
  const { source, format, reason } = input;
  const outcome = await platform.db.tx(async (tx) => {
    await lockVersion(tx);
    const now = platform.clock.now();
    const list = await putList(tx, {
      id: platform.ids.next(),
      source,
      format,
      listDate: file.date,
      userId: viewer.userId,
      now,
    });
    if (list.format !== format) return refuse('conflict', {}, { reason: 'otherListFormat' });
    const entries = file.entries.map(({ marks, ...entry }) => ({
      ...entry,
      id: platform.ids.next(),
      marks: MARK_KINDS.flatMap((kind) =>
        (marks[kind] ?? []).flatMap((value) => markOf(platform.vault, kind, value) ?? []),
      ),
    }));
    let changed = 0;
    for (let at = 0; at < entries.length; at += AT_ONCE) {
      const some = entries.slice(at, at + AT_ONCE);
      await keepWhatIsLost(tx, list.id, some, () => platform.ids.next());
      changed += await putEntries(tx, list.id, some, viewer.userId, now);
    }
    const gone = await tx.query<{ id: bigint }>(sql`
      select id from listed_names where list_id = ${list.id} and reference <> all(${entries.map(({ reference }) => reference)})`);
    await raiseVersion(tx);
    const counts = { entries: entries.length, changed, dropped: gone.length };
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'nameList.import',
      subject: `nameList:${source}`,
      after: { ...counts, format, date: file.date, fileName: input.fileName },
      reason,
      ip: viewer.ip,
    });
    if (gone.length === 0) return { ...counts, todoId: null };
    const request = await startApproval(platform, tx, viewer, {
      kind: 'nameListChange',
      subjectKind: 'listedName',
      subjectId: list.id,
      payload: { change: 'remove', list: source, name: source, entries: gone.map(({ id }) => String(id)) },
      reason,
      sole: false,
    });
    return isRefusal(request) ? request : { ...counts, todoId: String(request.todoId) };
  });
  if (!isRefusal(outcome)) await nameScreen(platform).refresh();
  return outcome;
}

async function readList({ format, content }: Input, locale: Locale): Promise<ListFile | Refusal> {
  const wrong = (...problems: readonly Problem[]) => refuseFile(problems, locale);
  const bytes = await unpack(Buffer.from(content, 'base64'), { maxOutputLength: LARGEST_FILE }).catch(
    () => undefined,
  );
  // OFAC's file has some Latin-1 and ends with the end-of-file character.
  const text =
    bytes &&
    (textOf(bytes) ?? (format === 'ofac' ? textOf(Buffer.from(bytes.toString('latin1'))) : undefined));
  if (text === undefined) return wrong(problem(0, 'notText'));
  try {
    const file = format === 'un' ? readUn(text) : readTable(format, text);
    if (Array.isArray(file)) return refuseFile(file, locale);
    if (file.entries.length > MOST_ENTRIES) return wrong(problem(0, 'entriesTooMany', String(MOST_ENTRIES)));
    return { ...file, entries: oneForEach(file.entries) };
  } catch (error) {
    if (error instanceof FormatProblem) return wrong(error.problem);
    throw error;
  }
}

function readTable(format: 'csv' | 'ofac', text: string): ListFile | Problem[] {
  const rows = readCsv(text);
  if (!rows) return [problem(0, 'unreadable')];
  return format === 'csv' ? readOwnCsv(rows) : readOfac(rows);
}
