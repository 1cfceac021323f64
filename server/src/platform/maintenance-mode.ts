import type { Locale } from '@sangam/contract/locale.ts';
import { sql } from './db/database.ts';
import { keepFresh } from './keep-fresh.ts';
import { perPlatform } from './node-state.ts';
import type { Platform } from './platform.ts';

export interface Maintenance {
  readonly beginsAt: Date;
  readonly endsAt: Date;
  readonly texts: Readonly<Record<Locale, string>>;
  readonly setBy: bigint;
}

interface Watch {
  /** The maintenance that is on now. Null: none, and orders are created. */
  now(): Promise<Maintenance | null>;
  refresh(): Promise<void>;
}

/** The maintenance mode as this node knows it. It is read from memory, at most a second old, because every create asks for it. */
export const maintenance = perPlatform((platform: Platform): Watch => {
  const known = keepFresh(platform.state, async () => (await readMaintenance(platform)) ?? null);
  return {
    async now() {
      const found = await known.now();
      const at = platform.clock.now();
      return found && found.beginsAt <= at && at < found.endsAt ? found : null;
    },
    refresh: known.refresh,
  };
});

/** The maintenance that is on or announced. Undefined when there is none or it is over. */
export async function readMaintenance({ db, clock }: Platform): Promise<Maintenance | undefined> {
  const [row] = await db.query<Maintenance>(sql`
    select begins_at as "beginsAt", ends_at as "endsAt", texts, set_by as "setBy" from maintenance_mode
    where ends_at > ${clock.now()}`);
  return row;
}
