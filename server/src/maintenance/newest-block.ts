import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { newestBlock } from '../audit/block.ts';
import { SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { ConfigError } from '../platform/environment.ts';
import type { Platform } from '../platform/platform.ts';
import { within } from '../platform/within.ts';

/*
 * Each node notes in its data folder which block of the sealed audit is the newest. A database without this block was restored to an
 * earlier time: it would pay again what was paid since.
 */

const FILE = 'newest-block.json';
const PAUSE = 10 * SECOND;

const note = z.object({
  /** When the first node marked the database: the note is about no other one. */
  installedAt: z.string(),
  block: z.string(),
  hash: z.string(),
  /** When the node saw the block there. */
  seenAt: z.coerce.date(),
});
type Note = z.output<typeof note>;

/** Throws if the database is older than when a node with this data folder last saw it, and `npm run restored` has not run since. */
export async function refuseSetBack(platform: Platform): Promise<void> {
  const noted = await readNote(platform);
  if (noted && (await isSetBack(platform, noted)))
    throw new ConfigError(
      `This database was restored to an earlier time: it lacks block ${noted.block} of the sealed audit, which was there at ${noted.seenAt.toISOString()}. Run \`npm run restored\` first (docs/deploying.md, After a restore).`,
    );
}

/**
 * Notes the newest block every ten seconds, and when the node stops (the returned function). `onSetBack` is called if the database becomes
 * older while the node works.
 */
export async function noteNewestBlock(
  platform: Platform,
  onSetBack: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const look = async (): Promise<void> => {
    await refuseSetBack(platform);
    await writeNote(platform);
  };
  const failed = (error: unknown): void => {
    if (error instanceof ConfigError) onSetBack(error);
    else platform.log.warn({ err: error }, 'the newest block was not noted in DATA_DIR');
  };
  await look().catch(failed);
  let looking: Promise<void> | undefined;
  platform.state.every(PAUSE, () => {
    looking ??= look()
      .catch(failed)
      .finally(() => (looking = undefined));
  });
  // A database that does not answer must not delay the stop.
  return () => within(SECOND, Promise.resolve(looking).then(look));
}

async function isSetBack({ db }: Platform, { installedAt, block, hash, seenAt }: Note): Promise<boolean> {
  const [row] = await db.query<{ isSetBack: boolean }>(sql`
    select i.marked_at = ${installedAt}::timestamptz
      and not exists (select from audit_blocks where number = ${block} and encode(hash, 'hex') = ${hash})
      and not exists (select from restorations where done_at > ${seenAt}) as "isSetBack"
    from installation i`);
  return row!.isSetBack;
}

async function readNote({ config }: Platform): Promise<Note | undefined> {
  const text = await readFile(join(config.dataDir, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  return text === undefined ? undefined : note.parse(JSON.parse(text));
}

async function writeNote({ db, clock, config }: Platform): Promise<void> {
  const newest = await newestBlock(db);
  if (!newest) return;
  const [row] = await db.query<{ installedAt: string }>(
    sql`select marked_at::text as "installedAt" from installation`,
  );
  const noted = {
    installedAt: row!.installedAt,
    block: String(newest.number),
    hash: newest.hash.toString('hex'),
    seenAt: clock.now(),
  } satisfies Note;
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 });
  const draft = join(config.dataDir, `${FILE}.${randomUUID()}`);
  await writeFile(draft, JSON.stringify(noted), { mode: 0o600 });
  await rename(draft, join(config.dataDir, FILE));
}
