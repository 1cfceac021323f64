import type { HIT_PLACES } from '@sangam/contract/name-lists.ts';
import { raiseAlertIn } from '../alerts/raise.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { MarkKind } from './party.ts';
import type { Entry } from './store.ts';
import { nameKey } from './tokens.ts';

/** A match with a list: a hit, or a name that is near. */
export interface Found {
  readonly entry: Entry;
  readonly by: MarkKind | 'name';
  /** The listed name. */
  readonly listed: string;
  /** The name as it came in. */
  readonly name: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly isNear: boolean;
  readonly place: (typeof HIT_PLACES)[number];
  /** The party or order, such as `merchant:7`, `order:123`. */
  readonly subject: string;
  readonly at: Date;
}

/**
 * Where each subject is a hit of its own, because people judge each. Elsewhere a payment is the subject, and payments with the same name
 * are one hit.
 */
const EACH_ALONE: ReadonlySet<Found['place']> = new Set(['party', 'account', 'kyc']);

/** Writes matches. The same hit only counts up. A hit that nobody has judged yet, and that is no near name, raises an alert. */
export async function recordFound(platform: Platform, tx: Tx, found: readonly Found[]): Promise<void> {
  const merged = new Map<string, Found & { count: number; key: string; bearer: string }>();
  for (const each of found) {
    const key = nameKey(each.name);
    const bearer = EACH_ALONE.has(each.place) ? each.subject : '';
    const at = `${each.place} ${each.entry.id} ${key} ${bearer}`;
    merged.set(at, { ...each, key, bearer, count: (merged.get(at)?.count ?? 0) + 1 });
  }
  // Always in the same order, so that two nodes do not wait for each other.
  const rows = [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const open: Found[] = [];
  for (const row of rows) {
    const percent = Math.round(row.score * 100);
    const [hit] = await tx.query<{ state: string }>(sql`
      insert into name_hits (id, entry_id, list, listed, place, name, name_key, bearer, score, is_near, by, subject, count, first_at, last_at)
      values (${platform.ids.next()}, ${row.entry.id}, ${row.entry.list}, ${row.listed}, ${row.place}, ${row.name.slice(0, 256)},
              ${row.key}, ${row.bearer}, ${percent}, ${row.isNear}, ${row.by}, ${row.subject}, ${row.count}, ${row.at}, ${row.at})
      on conflict (place, entry_id, name_key, bearer) do update set count = name_hits.count + excluded.count,
        last_at = excluded.last_at, subject = excluded.subject, score = excluded.score, is_near = excluded.is_near, by = excluded.by
      returning state`);
    if (hit?.state === 'open' && !row.isNear) open.push(row);
  }
  for (const { entry, listed } of open) {
    const cause = {
      kind: 'nameHit',
      subject: String(entry.id),
      data: { name: listed, list: entry.list },
    } as const;
    await raiseAlertIn(tx, platform, cause);
  }
}
