import {
  SETTINGS,
  SETTING_NAMES,
  type Setting,
  type SettingName,
  type SettingValues,
} from '@sangam/contract/settings.ts';
import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { keepFresh } from '../keep-fresh.ts';
import type { NodeState } from '../node-state.ts';
import { lockStored, type NewValue, readStored, writeStored } from './store.ts';

export type { SettingValues } from '@sangam/contract/settings.ts';

export interface Settings {
  /**
   * Current values, at most a second old; secrets stay sealed. It answers from memory, because callers ask inside transactions, where
   * waiting for a second connection could exhaust the pool.
   */
  all(): Promise<SettingValues>;
  /** For each stored setting, when the value in force on this node was written, ms since 1970. */
  seen(): Promise<ReadonlyMap<string, number>>;
  /** Reads the settings now. Called after a write, so that this node uses the new value at once. */
  refresh(): Promise<void>;
  /** Writes without an audit entry, for seeds and tests. People change settings through backoffice/settings. */
  write<Name extends SettingName>(
    name: Name,
    value: SettingValues[Name],
    userId: bigint | null,
  ): Promise<void>;
}

/** Reads the settings now and then every second until the node stops. */
export function createSettings(db: Database, clock: Clock, state: NodeState): Settings {
  const stored = keepFresh(state, async () => {
    const rows = await readStored(db);
    const values = SETTING_NAMES.map((name) => [name, currentValue(name, rows.get(name)?.value)]);
    return {
      values: Object.fromEntries(values) as SettingValues,
      seen: new Map([...rows].map(([name, { writtenAt }]) => [name, writtenAt.getTime()])),
    };
  });

  return {
    all: async () => (await stored.now()).values,
    seen: async () => (await stored.now()).seen,
    refresh: stored.refresh,
    async write(name, value, userId) {
      await writeStored(db, { name, value: currentValue(name, value), userId, at: clock.now() });
      await stored.refresh();
    },
  };
}

/** The value in force: the stored value, or the default where nothing is stored. */
function currentValue(name: SettingName, stored: unknown): unknown {
  const { schema, fallback, mask }: Setting = SETTINGS[name];
  if (stored === undefined) return fallback;
  // A stored secret is sealed (secret.ts), and the schema is for its plain value.
  return mask === undefined ? schema.parse(stored) : stored;
}

/** The value in force, locked until the transaction ends. */
export async function lockSetting(tx: Tx, name: SettingName): Promise<unknown> {
  return currentValue(name, await lockStored(tx, name));
}

/** Writes a value in the caller's transaction. Call `refresh` afterwards to put it in force on this node. */
export function storeSetting(tx: Tx, change: NewValue): Promise<void> {
  return writeStored(tx, change);
}
