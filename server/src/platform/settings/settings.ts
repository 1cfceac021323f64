import {
  SETTINGS,
  SETTING_NAMES,
  type Setting,
  type SettingName,
  type SettingValues,
} from '@sangam/contract/settings.ts';
import { SECOND, type Clock } from '../clock.ts';
import type { NodeState } from '../node-state.ts';
import type { Database, Tx } from '../db/database.ts';
import { lockStored, type NewValue, readStored, writeStored } from './store.ts';

export type { SettingValues } from '@sangam/contract/settings.ts';

const REFRESH = SECOND;

export interface Settings {
  /**
   * Current values, secrets sealed, at most a second old; every node reads through this one cache. Answers from memory: it is asked
   * inside transactions, where waiting for a second connection could starve the pool.
   */
  all(): Promise<SettingValues>;
  /** The writes this node has in force: name of each stored setting → moment of its write, ms since 1970. */
  seen(): ReadonlyMap<string, number>;
  /** Reads them anew now: after a write, so that this node acts on it at once. */
  refresh(): Promise<void>;
  /** Writes without a trace, for seeds and tests; people change settings in backoffice/settings. */
  write<Name extends SettingName>(
    name: Name,
    value: SettingValues[Name],
    userId: bigint | null,
  ): Promise<void>;
}

/** Reads the settings now and then every second until the node stops. */
export function createSettings(db: Database, clock: Clock, state: NodeState): Settings {
  let seen: ReadonlyMap<string, number> = new Map();
  async function read(): Promise<SettingValues> {
    const stored = await readStored(db);
    seen = new Map([...stored].map(([name, { writtenAt }]) => [name, writtenAt.getTime()]));
    return Object.fromEntries(
      SETTING_NAMES.map((name) => [name, currentValue(name, stored.get(name)?.value)]),
    ) as SettingValues;
  }

  let current = read();
  // A failed first read is told to whoever asks.
  current.catch(() => {});
  async function refresh(): Promise<void> {
    // While the database is away the last values stand.
    const values = await read().catch(() => undefined);
    if (values) current = Promise.resolve(values);
  }
  state.every(REFRESH, () => void refresh());

  return {
    all: () => current,
    seen: () => seen,
    refresh,
    async write(name, value, userId) {
      await writeStored(db, { name, value: currentValue(name, value), userId, at: clock.now() });
      await refresh();
    },
  };
}

/** What is in force: the stored value, or the default where nothing is stored. */
function currentValue(name: SettingName, stored: unknown): unknown {
  const { schema, fallback, mask }: Setting = SETTINGS[name];
  if (stored === undefined) return fallback;
  // Secrets are sealed (secret.ts): their schema is of what people write.
  return mask === undefined ? schema.parse(stored) : stored;
}

/** The value in force, under a lock until the transaction ends. */
export async function lockSetting(tx: Tx, name: SettingName): Promise<unknown> {
  return currentValue(name, await lockStored(tx, name));
}

/** Writes a value in the caller's transaction; `refresh` puts it in force on this node. */
export function storeSetting(tx: Tx, change: NewValue): Promise<void> {
  return writeStored(tx, change);
}
