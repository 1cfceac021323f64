import type { ScriptFunction } from '@sangam/contract/pay-scripts.ts';
import { type Queryable, sql } from '../../platform/db/database.ts';
import type { FetchRecord } from './fetch-gate.ts';
import type { ScriptError } from './sandbox/wire.ts';

/** A version as it was saved; it never changes. */
export interface ScriptVersion {
  readonly scriptId: bigint;
  readonly version: number;
  readonly code: string;
  readonly origins: readonly string[];
  readonly triedAt: Date | null;
}

export async function readVersion(
  db: Queryable,
  scriptId: bigint,
  version: number,
): Promise<ScriptVersion | undefined> {
  const [row] = await db.query<ScriptVersion>(sql`
    select script_id as "scriptId", version, code, origins, tried_at as "triedAt" from pay_script_versions
    where script_id = ${scriptId} and version = ${version}`);
  return row;
}

/** The authors of a script's versions from the last released one (not included) to this one: each version builds on the one before. */
export async function authorsOf(
  db: Queryable,
  scriptId: bigint,
  version: number,
): Promise<readonly bigint[]> {
  const rows = await db.query<{ by: bigint }>(sql`
    select distinct created_by as by from pay_script_versions
    where script_id = ${scriptId} and version <= ${version} and version > coalesce((
      select max(version) from pay_script_versions
      where script_id = ${scriptId} and version <= ${version} and released_at is not null), 0)`);
  return rows.map(({ by }) => by);
}

/** The version that an account's calls run now. Undefined where its script has no live version, or the account has no script. */
export async function liveVersionOf(
  db: Queryable,
  accountId: bigint,
): Promise<{ readonly scriptId: bigint; readonly name: string; readonly version: number } | undefined> {
  const [row] = await db.query<{ scriptId: bigint; name: string; version: number }>(sql`
    select s.id as "scriptId", s.name, s.live_version as version from accounts a join pay_scripts s on s.id = a.pay_script_id
    where a.id = ${accountId} and s.live_version is not null`);
  return row;
}

/** One call as its record keeps it, secrets masked. */
export interface CallRecord {
  readonly id: bigint;
  readonly scriptId: bigint;
  readonly version: number;
  readonly function: ScriptFunction;
  readonly accountId: bigint | null;
  readonly orderId: bigint | null;
  readonly triedBy: bigint | null;
  readonly input: unknown;
  readonly output: unknown;
  readonly error: ScriptError | null;
  readonly fetches: readonly FetchRecord[];
  readonly logs: readonly string[];
  readonly durationMs: number;
}

export async function insertCall(db: Queryable, call: CallRecord): Promise<void> {
  const { error } = call;
  await db.query(sql`
    insert into pay_script_calls (id, script_id, version, function, account_id, order_id, tried_by, input, output, fetches, logs,
      failure, message, line, duration_ms)
    values (${call.id}, ${call.scriptId}, ${call.version}, ${call.function}, ${call.accountId}, ${call.orderId}, ${call.triedBy},
      ${JSON.stringify(call.input)}, ${error ? null : JSON.stringify(call.output)}, ${JSON.stringify(call.fetches)},
      ${call.logs.map(storable)}::text[], ${error?.kind ?? null}, ${error && storable(error.message)}, ${error?.line ?? null},
      ${call.durationMs})`);
}

/** PostgreSQL cannot store a NUL in text. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '');
}

export async function noteTried(db: Queryable, scriptId: bigint, version: number, at: Date): Promise<void> {
  await db.query(sql`
    update pay_script_versions set tried_at = ${at} where script_id = ${scriptId} and version = ${version} and tried_at is null`);
}

/** Deletes at most `limit` records older than an id; answers how many. */
export async function deleteCallsBefore(db: Queryable, id: bigint, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from pay_script_calls where id in (
      select id from pay_script_calls where id < ${id} order by id limit ${limit} for update skip locked)
    returning 1`);
  return rows.length;
}
