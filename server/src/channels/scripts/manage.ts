import type * as contract from '@sangam/contract/endpoints/pay-script.ts';
import { SCRIPT_FUNCTIONS } from '@sangam/contract/pay-scripts.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { z } from 'zod';
import { audit } from '../../platform/audit/record.ts';
import { DAY } from '../../platform/clock.ts';
import { type Tx, empty, sql } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import { escapeLike, readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { runScript } from './sandbox/sandbox.ts';
import { wrongShape } from './shapes.ts';

type Input<Endpoint extends { input: z.ZodType }> = z.output<Endpoint['input']>;
type Output<Endpoint extends { output: z.ZodType }> = z.input<Endpoint['output']>;

interface ListRow {
  readonly id: bigint;
  readonly name: string;
  readonly liveVersion: number | null;
  readonly newestVersion: number;
  readonly accounts: number;
  readonly callsToday: number;
  readonly failuresToday: number;
  readonly createdAt: Date;
}

export async function listScripts(
  platform: Platform,
  _viewer: Viewer,
  input: Input<typeof contract.getPayScriptList>,
): Promise<Output<typeof contract.getPayScriptList> | Refusal> {
  const since = firstIdAt(new Date(platform.clock.now().getTime() - DAY));
  const ofDay = (which: typeof empty) =>
    sql`(select count(*)::int from pay_script_calls c where c.script_id = s.id and c.id >= ${since} and c.tried_by is null ${which})`;
  const page = await readPage<ListRow>(platform, input, {
    columns: sql`s.id, s.name, s.live_version as "liveVersion", s.created_at as "createdAt",
      (select max(version) from pay_script_versions v where v.script_id = s.id) as "newestVersion",
      (select count(*)::int from accounts a where a.pay_script_id = s.id) as accounts,
      ${ofDay(empty)} as "callsToday", ${ofDay(sql`and c.failure is not null`)} as "failuresToday"`,
    from: sql`from pay_scripts s where true
      ${input.name === undefined ? empty : sql`and s.name ilike ${`%${escapeLike(input.name)}%`}`}`,
    key: sql`s.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ id, createdAt, name, ...row }) => ({
      id: String(id),
      name,
      liveVersion: row.liveVersion,
      newestVersion: row.newestVersion,
      accounts: row.accounts,
      callsToday: row.callsToday,
      failuresToday: row.failuresToday,
      createTime: formatTime(createdAt),
    })),
  };
}

interface VersionRow {
  readonly version: number;
  readonly code: string;
  readonly origins: string[];
  readonly note: string;
  readonly by: string;
  readonly createdAt: Date;
  readonly triedAt: Date | null;
  readonly releasedAt: Date | null;
}

export async function readScript(
  platform: Platform,
  _viewer: Viewer,
  { id }: Input<typeof contract.getPayScript>,
): Promise<Output<typeof contract.getPayScript> | Refusal> {
  const scriptId = BigInt(id);
  const [[script], versions, [asked]] = await Promise.all([
    platform.db.query<{ name: string; liveVersion: number | null }>(
      sql`select name, live_version as "liveVersion" from pay_scripts where id = ${scriptId}`,
    ),
    platform.db.query<VersionRow>(sql`
      select v.version, v.code, v.origins, v.note, u.nickname as by, v.created_at as "createdAt", v.tried_at as "triedAt",
        v.released_at as "releasedAt"
      from pay_script_versions v join users u on u.id = v.created_by where v.script_id = ${scriptId} order by v.version desc`),
    platform.db.query<{ todoId: bigint; version: number; by: string }>(sql`
      select a.id as "todoId", (a.payload->>'version')::int as version, u.nickname as by
      from approvals a join users u on u.id = a.started_by
      where a.kind = 'payScriptRelease' and a.subject_kind = 'payScript' and a.subject_id = ${scriptId} and a.status = 'pending'
        and a.expires_at > ${platform.clock.now()}`),
  ]);
  if (!script) return refuse('notFound');
  return {
    id,
    ...script,
    asked: asked ? { ...asked, todoId: String(asked.todoId) } : null,
    versions: versions.map(({ createdAt, triedAt, releasedAt, ...version }) => ({
      ...version,
      time: formatTime(createdAt),
      tryTime: triedAt && formatTime(triedAt),
      releaseTime: releasedAt && formatTime(releasedAt),
    })),
  };
}

export async function scriptOptions({ db }: Platform): Promise<Output<typeof contract.getPayScriptOptions>> {
  const rows = await db.query<{ id: bigint; name: string }>(
    sql`select id, name from pay_scripts order by name`,
  );
  return { list: rows.map(({ id, name }) => ({ id: String(id), name })) };
}

type Draft = Pick<Input<typeof contract.savePayScript>, 'code' | 'origins' | 'note'>;

export async function createScript(
  platform: Platform,
  viewer: Viewer,
  { name, ...draft }: Input<typeof contract.createPayScript>,
): Promise<Output<typeof contract.createPayScript> | Refusal> {
  return platform.db.tx(async (tx) => {
    const [row] = await tx.query<{ id: bigint }>(sql`
      insert into pay_scripts (name, created_by, created_at) values (${name}, ${viewer.userId}, ${platform.clock.now()})
      on conflict do nothing returning id`);
    if (!row) return refuse('conflict', {}, { reason: 'nameTaken' });
    await insertVersion(platform, tx, viewer, row.id, 1, draft);
    return { id: String(row.id), version: 1 };
  });
}

/** Stores a new version. A stored version never changes, because releases and records of calls refer to it. */
export async function saveScript(
  platform: Platform,
  viewer: Viewer,
  { id, ...draft }: Input<typeof contract.savePayScript>,
): Promise<Output<typeof contract.savePayScript> | Refusal> {
  const scriptId = BigInt(id);
  return platform.db.tx(async (tx) => {
    const [script] = await tx.query(sql`select 1 from pay_scripts where id = ${scriptId} for update`);
    if (!script) return refuse('notFound');
    const [newest] = await tx.query<{ version: number }>(sql`
      select max(version) as version from pay_script_versions where script_id = ${scriptId}`);
    const version = newest!.version + 1;
    await insertVersion(platform, tx, viewer, scriptId, version, draft);
    return { version };
  });
}

async function insertVersion(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  scriptId: bigint,
  version: number,
  { code, origins, note }: Draft,
): Promise<void> {
  await tx.query(sql`
    insert into pay_script_versions (script_id, version, code, origins, note, created_by, created_at)
    values (${scriptId}, ${version}, ${code}, ${[...new Set(origins)]}::text[], ${note}, ${viewer.userId}, ${platform.clock.now()})`);
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'payScript.save',
    subject: `payScript:${scriptId}`,
    after: { version, origins, note, length: code.length },
    ip: viewer.ip,
  });
}

/** A script can change what its engine writes as JSON. An answer of another shape is then refused. */
const HAS = z.record(z.enum(SCRIPT_FUNCTIONS), z.boolean());

/** Parses a script in the sandbox without calling any of its functions. */
export async function checkScript(
  _platform: Platform,
  _viewer: Viewer,
  { code }: Input<typeof contract.checkPayScript>,
): Promise<Output<typeof contract.checkPayScript>> {
  const { output, error } = await runScript({
    of: 'console',
    code,
    call: 'functions',
    args: [],
    fetch: () => Promise.resolve({ error: 'nothing is fetched while a script is read' }),
  });
  if (error) return { problem: error, functions: [] };
  const has = HAS.safeParse(output);
  if (!has.success) {
    const problem = { kind: 'shape', message: wrongShape(has.error), line: null, column: null } as const;
    return { problem, functions: [] };
  }
  return { problem: null, functions: SCRIPT_FUNCTIONS.filter((name) => has.data[name]) };
}
