import { MARK_KINDS } from '@sangam/contract/name-lists.ts';
import { SECOND } from '../platform/clock.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import type { Vault } from '../platform/vault.ts';
import { HIT_FROM, NameIndex } from './name-index.ts';
import { markOf, type Party } from './party.ts';
import { type Found, recordFound } from './hits.ts';
import { type Entry, readLists, readVersion } from './store.ts';
import { nameKey } from './tokens.ts';

const REFRESH = SECOND;
/** How many entries are read before other calls get a turn. */
const AT_ONCE = 200;
const MOST_UNWRITTEN = 5_000;

/** Where a name came in. */
export type Place = Found['place'];

export interface Screen {
  /** The entry that the party hits, or undefined. Writes hits and near names by itself. */
  hit(party: Party, place: Place, subject: string): Entry | undefined;
  /** The best match of a name alone, for people who try one. Nothing is written. */
  try(name: string): { readonly entry: Entry; readonly name: string; readonly score: number } | undefined;
}

export interface NameScreen {
  /** Resolves once the lists have been read. Look-ups after that do not wait. */
  ready(): Promise<Screen>;
  refresh(): Promise<void>;
  /** Writes the matches that are not written yet. */
  flush(): Promise<void>;
}

/** The lists of names that may not pay, be paid, or be a party. In each node's memory, at most a second old. */
export const nameScreen = perPlatform((platform: Platform): NameScreen => {
  const { clock, db, log } = platform;
  let found: Found[] = [];
  const note = (each: Omit<Found, 'at'>): void => {
    if (found.length < MOST_UNWRITTEN) found.push({ ...each, at: clock.now() });
  };
  let known = build();
  known.catch(() => {});

  async function build(): Promise<{ readonly version: bigint; readonly screen: Screen }> {
    const version = await readVersion(db);
    const { entries, exempt } = await readLists(db);
    return { version, screen: await screenOf(platform.vault, entries, exempt, note) };
  }
  async function readAnew(): Promise<void> {
    try {
      const before = await known.catch(() => undefined);
      if (before && (await readVersion(db)) === before.version) return;
      const made = await build();
      known = Promise.resolve(made);
    } catch (error) {
      // While the database is away the last lists stay in force.
      log.warn({ err: error }, 'lists of names');
    }
  }
  // One refresh after another. A caller that has just written must not get the result of a refresh that began before.
  let looks = Promise.resolve();
  function refresh(): Promise<void> {
    looks = looks.then(readAnew);
    return looks;
  }
  async function write(): Promise<void> {
    if (found.length === 0) return;
    const writing = found;
    found = [];
    try {
      await db.tx((tx) => recordFound(platform, tx, writing));
    } catch (error) {
      found = [...writing, ...found].slice(0, MOST_UNWRITTEN);
      log.warn({ err: error }, 'hits on lists of names are not written yet');
    }
  }
  // A caller waits until an earlier turn's matches are written too.
  let turns = Promise.resolve();
  function flush(): Promise<void> {
    turns = turns.then(write);
    return turns;
  }
  platform.state.every(REFRESH, () => void refresh().then(flush));
  return { ready: async () => (await known).screen, refresh, flush };
});

async function screenOf(
  vault: Vault,
  entries: readonly Entry[],
  exempt: ReadonlySet<string>,
  note: (found: Omit<Found, 'at'>) => void,
): Promise<Screen> {
  const index = new NameIndex();
  const byMark = new Map<string, Entry>();
  for (const [at, entry] of entries.entries()) {
    for (const name of entry.names) index.add({ entry: at, name });
    for (const mark of entry.marks) byMark.set(mark, entry);
    if (at % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  const kinds = MARK_KINDS.filter((kind) => [...byMark.keys()].some((mark) => mark.startsWith(`${kind}:`)));

  function marked(party: Party): { readonly entry: Entry; readonly by: Found['by'] } | undefined {
    for (const kind of kinds) {
      const value = party[kind];
      const mark = value && markOf(vault, kind, value);
      const entry = mark && byMark.get(mark);
      if (entry) return { entry, by: kind };
    }
    return undefined;
  }
  const match = (name: string) => {
    const free = exempt.size === 0 ? undefined : nameKey(name);
    return index.find(name, (at) => free === undefined || !exempt.has(`${entries[at]!.id} ${free}`));
  };
  return {
    hit(party, place, subject) {
      const name = party.name ?? '';
      const byMarks = marked(party);
      if (byMarks) {
        note({
          ...byMarks,
          listed: byMarks.entry.names[0] ?? '',
          name,
          score: 1,
          isNear: false,
          place,
          subject,
        });
        return byMarks.entry;
      }
      const best = name === '' ? undefined : match(name);
      if (!best) return undefined;
      const entry = entries[best.entry]!;
      const isNear = best.score < HIT_FROM;
      note({ entry, by: 'name', listed: best.name, name, score: best.score, isNear, place, subject });
      return isNear ? undefined : entry;
    },
    try(name) {
      const best = match(name);
      return best && { entry: entries[best.entry]!, name: best.name, score: best.score };
    },
  };
}
