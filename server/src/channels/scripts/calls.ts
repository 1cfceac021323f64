import type * as contract from '@sangam/contract/endpoints/pay-script.ts';
import type { ScriptFailure, ScriptFunction } from '@sangam/contract/pay-scripts.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, sql } from '../../platform/db/database.ts';
import { timeOfId } from '../../platform/db/ids.ts';
import { readPage, timeFilter } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { maskPersons, personsIn } from './mask.ts';
import type { FetchRecord } from './fetch-gate.ts';
import type { ScriptError } from './sandbox/wire.ts';

type List = z.input<typeof contract.getPayScriptCallList.output>;
type Row = List['list'][number];
type Details = z.input<typeof contract.getPayScriptCall.output>;

const DEFAULT_DAYS = 7;

interface CallRow {
  readonly id: bigint;
  readonly scriptId: bigint;
  readonly scriptName: string;
  readonly version: number;
  readonly function: ScriptFunction;
  readonly accountName: string | null;
  readonly orderId: bigint | null;
  readonly triedBy: string | null;
  readonly failure: ScriptFailure | null;
  readonly message: string | null;
  readonly fetches: number;
  readonly durationMs: number;
}

const COLUMNS = sql`c.id, c.script_id as "scriptId", s.name as "scriptName", c.version, c.function,
  a.bank || ' ' || a.account_tail as "accountName", c.order_id as "orderId", u.nickname as "triedBy", c.failure, c.message,
  json_array_length(c.fetches) as fetches, c.duration_ms as "durationMs"`;
const JOINS = sql`from pay_script_calls c join pay_scripts s on s.id = c.script_id
  left join accounts a on a.id = c.account_id left join users u on u.id = c.tried_by`;

export async function listCalls(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof contract.getPayScriptCallList.input>,
): Promise<List | Refusal> {
  const page = await readPage<CallRow>(platform, input, {
    columns: COLUMNS,
    from: sql`${JOINS} where true ${timeFilter(sql`c.id`, input, platform.clock.now(), DEFAULT_DAYS)}
      ${input.scriptId === undefined ? empty : sql`and c.script_id = ${BigInt(input.scriptId)}`}
      ${input.version === undefined ? empty : sql`and c.version = ${input.version}`}
      ${input.function === undefined ? empty : sql`and c.function = ${input.function}`}
      ${input.failed === undefined ? empty : sql`and (c.failure is not null) = ${input.failed}`}
      ${input.isTry === undefined ? empty : sql`and (c.tried_by is not null) = ${input.isTry}`}
      ${input.orderCode === undefined ? empty : sql`and c.order_id = ${BigInt(input.orderCode)}`}`,
    key: sql`c.id`,
  });
  return isRefusal(page) ? page : { ...page, list: page.list.map(rowOf) };
}

function rowOf({ id, scriptId, orderId, ...row }: CallRow): Row {
  return {
    id: String(id),
    scriptId: String(scriptId),
    scriptName: row.scriptName,
    version: row.version,
    function: row.function,
    isTry: row.triedBy !== null,
    accountName: row.accountName,
    orderCode: orderId === null ? null : String(orderId),
    triedBy: row.triedBy,
    failure: row.failure,
    message: row.message,
    fetches: row.fetches,
    durationMs: row.durationMs,
    time: formatTime(timeOfId(id)),
  };
}

export async function readCall(
  platform: Platform,
  viewer: Viewer,
  { id }: z.output<typeof contract.getPayScriptCall.input>,
): Promise<Details | Refusal> {
  const [row] = await platform.db.query<
    CallRow & { input: unknown; output: unknown; all: FetchRecord[]; logs: string[]; line: number | null }
  >(sql`
    select ${COLUMNS}, c.input, c.output, c.fetches as all, c.logs, c.line ${JOINS} where c.id = ${BigInt(id)}`);
  if (!row) return refuse('notFound');
  const { failure, message, line } = row;
  const error = failure && { kind: failure, message: message ?? '', line, column: null };
  const { fetches: _, ...shown } = rowOf(row);
  const kept = { input: row.input, ...toldOf({ ...row, fetches: row.all, error }) };
  return { ...shown, ...(seesWhole(viewer, 'scriptCall') ? kept : maskPersons(kept, personsIn(row.input))) };
}

/** A record as the console shows it. */
export function toldOf(record: {
  readonly output: unknown;
  readonly error: ScriptError | null;
  readonly fetches: readonly FetchRecord[];
  readonly logs: readonly string[];
  readonly durationMs: number;
}): Pick<Details, 'output' | 'problem' | 'fetches' | 'logs' | 'durationMs'> {
  return {
    output: record.output,
    problem: record.error,
    fetches: record.fetches.map(({ request, answer, durationMs }) => ({
      method: request.method,
      url: request.url,
      headers: { ...request.headers },
      body: request.body,
      status: 'status' in answer ? answer.status : null,
      answer: 'body' in answer ? answer.body : null,
      error: 'error' in answer ? answer.error : null,
      durationMs,
    })),
    logs: [...record.logs],
    durationMs: record.durationMs,
  };
}
