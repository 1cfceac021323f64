import { z } from 'zod';
import { SECOND, type Clock } from '../clock.ts';
import { type Database, sql } from '../db/database.ts';

/**
 * The settings that change behaviour today: name, schema, default. Only what is read somewhere stands here.
 * Units and effects are those of the settings table in docs/.
 */
const DEFINITIONS = {
  enableService: z.boolean().default(true),
  OrderTimeoutMinutes: z.int().min(1).max(1440).default(15),
  CanTimeoutSupplement: z.boolean().default(true),
  CompleteCheckOrderTime: z.int().min(0).max(1440).default(30),
  TimeoutCallbackTime: z.int().min(0).max(86_400).default(0),
  EnablePayPassword: z.boolean().default(true),
  EnableIpChangedCheck: z.boolean().default(false),
  KYC: z.boolean().default(true),
  MonitorLiveTime: z.int().min(10).max(3600).default(90),
  LimitMode: z.enum(['off', 'warn', 'enforce']).default('enforce'),
  CanClearMerchantBalance: z.boolean().default(false),
  HighPerfOrderQuery: z.boolean().default(true),
  ApiUrl: z.string().default(''),
  ShowLogo: z.boolean().default(true),
  ContactInfo: z.string().max(500).default(''),
  SysFlag: z.string().max(32).default('main'),
} as const;

export type SettingName = keyof typeof DEFINITIONS;
export type SettingValues = { readonly [Name in SettingName]: z.output<(typeof DEFINITIONS)[Name]> };

const NAMES = Object.keys(DEFINITIONS) as SettingName[];
const REFRESH = SECOND;

export interface Settings {
  /**
   * Current values, at most a second old; every node reads through this one cache. Answers from memory: it is asked
   * inside transactions, where waiting for a second connection could starve the pool.
   */
  all(): Promise<SettingValues>;
  write<Name extends SettingName>(
    name: Name,
    value: SettingValues[Name],
    userId: bigint | null,
  ): Promise<void>;
}

/** Reads the settings now and then every second until the database is closed. */
export function createSettings(db: Database, clock: Clock): Settings {
  async function read(): Promise<SettingValues> {
    const rows = await db.query<{ name: string; value: unknown }>(sql`select name, value from settings`);
    const stored = new Map(rows.map((row) => [row.name, row.value]));
    return Object.fromEntries(
      NAMES.map((name) => [name, DEFINITIONS[name].parse(stored.get(name))]),
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
  const timer = setInterval(() => {
    if (db.pool.ending) clearInterval(timer);
    else void refresh();
  }, REFRESH);
  timer.unref();

  return {
    all: () => current,
    async write(name, value, userId) {
      const parsed = DEFINITIONS[name].parse(value);
      await db.query(sql`
        insert into settings (name, value, updated_at, updated_by)
        values (${name}, ${JSON.stringify(parsed)}, ${clock.now()}, ${userId})
        on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at, updated_by = excluded.updated_by`);
      await refresh();
    },
  };
}
