import type * as contract from '@sangam/contract/endpoints/pay-script.ts';
import type { z } from 'zod';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { runRecorded } from './call-script.ts';
import { toldOf } from './calls.ts';
import type { FetchAnswer, ScriptError } from './sandbox/wire.ts';
import { SHAPES, wrongShape } from './shapes.ts';
import { insertCall, noteTried, readVersion } from './store.ts';

type Input = z.output<typeof contract.tryPayScript.input>;
type Output = z.input<typeof contract.tryPayScript.output>;

/**
 * Runs a version on a recorded or written request and keeps the record. Nothing is sent: the script's fetches are answered from
 * the request, in order, and its credentials are invented. One person's draft must not reach any gateway with an account's real
 * credentials.
 */
export async function tryScript(
  platform: Platform,
  viewer: Viewer,
  { id, version, function: name, input, config, answers }: Input,
): Promise<Output | Refusal> {
  const scriptId = BigInt(id);
  const script = await readVersion(platform.db, scriptId, version);
  if (!script) return refuse('notFound');
  const [argument, keys] = [parsed(input), parsed(config)];
  if (argument === undefined) return notJson('input');
  if (keys === undefined) return notJson('config');
  const left = [...answers];
  const { run, fetches } = await runRecorded(
    ({ url }): Promise<FetchAnswer> => {
      const origin = URL.parse(url)?.origin ?? url;
      if (!script.origins.includes(origin))
        return Promise.resolve({ error: `${origin} is not on the script's list` });
      const next = left.shift();
      return Promise.resolve(
        next ? { ...next, headers: {} } : { error: 'the request has no answer to this' },
      );
    },
    { of: 'console', code: script.code, call: name, args: [argument, keys] },
  );
  const read = SHAPES[name].safeParse(run.output);
  const error: ScriptError | null =
    run.error ??
    (read.success ? null : { kind: 'shape', message: wrongShape(read.error), line: null, column: null });
  const record = {
    id: platform.ids.next(),
    scriptId,
    version,
    function: name,
    accountId: null,
    orderId: null,
    triedBy: viewer.userId,
    input: argument,
    output: run.output ?? null,
    error,
    fetches,
    logs: run.logs,
    durationMs: run.durationMs,
  };
  await insertCall(platform.db, record);
  // A refused request was not carried out.
  const isDone = !error && !('refused' in (read.data as object));
  if (isDone) await noteTried(platform.db, scriptId, version, platform.clock.now());
  return { id: String(record.id), ...toldOf(record) };
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function notJson(path: string): Refusal {
  return refuse('invalidInput', {}, { fields: [{ path, message: 'JSON' }] });
}
