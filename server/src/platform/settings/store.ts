import type { SettingName } from '@sangam/contract/settings.ts';
import { type Queryable, type Tx, sql } from '../db/database.ts';

export interface Stored {
  readonly value: unknown;
  readonly writtenAt: Date;
}

/** Stored values by name. A setting that was never changed has no row. */
export async function readStored(db: Queryable): Promise<Map<string, Stored>> {
  const rows = await db.query<Stored & { name: string }>(
    sql`select name, value, updated_at as "writtenAt" from settings`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** The stored value, locked. Undefined where nothing is stored. */
export async function lockStored(tx: Tx, name: SettingName): Promise<unknown> {
  const rows = await tx.query<{ value: unknown }>(
    sql`select value from settings where name = ${name} for update`,
  );
  return rows[0]?.value;
}

export interface NewValue {
  readonly name: SettingName;
  readonly value: unknown;
  readonly userId: bigint | null;
  readonly at: Date;
}

export async function writeStored(db: Queryable, { name, value, userId, at }: NewValue): Promise<void> {
  await db.query(sql`
    insert into settings (name, value, updated_at, updated_by)
    values (${name}, ${JSON.stringify(value)}, ${at}, ${userId})
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at, updated_by = excluded.updated_by`);
}
