import { type Sql, raw, sql } from './db/database.ts';
import type { Platform } from './platform.ts';
import { type Place, SEALED_COLUMNS } from './vault.ts';

/** A column whose values are sealed again, as the statements need it. */
interface Column {
  readonly name: Place[0];
  readonly table: Sql;
  readonly column: Sql;
  readonly id: Sql;
}

/**
 * Settings hold sealed values as text and have their own function. A request's row is never changed; it is decided or expires within a day.
 */
const ELSEWHERE: readonly Place[0][] = ['settings.value', 'approvals.sealed'];
const AT_ONCE = 200;

const COLUMNS: readonly Column[] = SEALED_COLUMNS.filter((name) => !ELSEWHERE.includes(name)).map((name) => {
  const [table, column] = name.split('.') as [string, string];
  return { name, table: raw(table), column: raw(column), id: raw('id') };
});

export interface Resealed {
  /** How many values were sealed again. */
  readonly values: number;
  /** Pending requests that still hold a value of the other key. That key is needed until they are decided. */
  readonly waiting: number;
}

/**
 * Seals every value of the other key again with the master key, while nodes run. Each value is updated alone, and only if it is unchanged
 * since it was read, so that no concurrent change is lost. A second run does what is left.
 */
export async function reseal(platform: Pick<Platform, 'db' | 'vault'>): Promise<Resealed> {
  let values = await resealSettings(platform);
  for (const column of COLUMNS) values += await resealColumn(platform, column);
  const { db, vault } = platform;
  const waiting = await db.query<{ sealed: Buffer }>(
    sql`select sealed from approvals where status = 'pending' and sealed is not null`,
  );
  return { values, waiting: waiting.filter(({ sealed }) => !vault.isCurrent(sealed)).length };
}

async function resealColumn(
  { db, vault }: Pick<Platform, 'db' | 'vault'>,
  { name, table, column, id }: Column,
): Promise<number> {
  let after = -1n;
  let values = 0;
  for (;;) {
    const rows = await db.query<{ id: bigint; sealed: Buffer }>(sql`
      select ${id}::bigint as id, ${column} as sealed from ${table}
      where ${column} is not null and length(${column}) > 0 and ${id} > ${after} order by ${id} limit ${AT_ONCE}`);
    for (const row of rows) {
      after = row.id;
      let sealed: Buffer | undefined = row.sealed;
      while (sealed && !vault.isCurrent(sealed)) {
        const anew = vault.seal(vault.open(sealed, [name, row.id]), [name, row.id]);
        const changed = await db.query(sql`
          update ${table} set ${column} = ${anew} where ${id} = ${row.id} and ${column} = ${sealed} returning 1`);
        values += changed.length;
        if (changed.length > 0) break;
        // The value changed in the meantime, perhaps by a node that still seals with the other key.
        const [now]: { sealed: Buffer | null }[] = await db.query(
          sql`select ${column} as sealed from ${table} where ${id} = ${row.id}`,
        );
        sealed = now?.sealed ?? undefined;
      }
    }
    if (rows.length < AT_ONCE) return values;
  }
}

async function resealSettings({ db, vault }: Pick<Platform, 'db' | 'vault'>): Promise<number> {
  const rows = await db.query<{ name: string; value: unknown }>(sql`select name, value from settings`);
  let values = 0;
  for (const { name, value } of rows) {
    const sealed = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
    if (!sealed || sealed.length === 0 || sealed.toString('base64') !== value) continue;
    const plain = openOther(vault, sealed, name);
    if (plain === undefined) continue;
    const anew = vault.seal(plain, ['settings.value', name]).toString('base64');
    const changed = await db.query(sql`
      update settings set value = ${JSON.stringify(anew)}::jsonb
      where name = ${name} and value = ${JSON.stringify(value)}::jsonb returning 1`);
    values += changed.length;
  }
  return values;
}

/** Opens a secret setting that the other key sealed. Undefined for others; most settings are not secret. */
function openOther(vault: Platform['vault'], sealed: Buffer, name: string): string | undefined {
  if (vault.isCurrent(sealed)) return undefined;
  try {
    return vault.open(sealed, ['settings.value', name]);
  } catch {
    return undefined;
  }
}
