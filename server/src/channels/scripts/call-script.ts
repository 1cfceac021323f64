import type { ScriptFunction } from '@sangam/contract/pay-scripts.ts';
import type { z } from 'zod';
import { scriptAccess } from '../../accounts/paying-gateway.ts';
import type { Platform } from '../../platform/platform.ts';
import { type FetchRecord, fetchGate } from './fetch-gate.ts';
import { maskSecrets } from './mask.ts';
import { wrongShape } from './shapes.ts';
import { runScript, type ScriptRun } from './sandbox/sandbox.ts';
import type { ScriptError } from './sandbox/wire.ts';
import { type CallRecord, insertCall, liveVersionOf, readVersion } from './store.ts';

interface AccountCall<Output> {
  readonly accountId: bigint;
  readonly function: ScriptFunction;
  readonly orderId: bigint | null;
  /** The function's first argument; its second is the account's config. */
  readonly input: object;
  readonly output: z.ZodType<Output>;
  /** Once it is aborted, the script's fetches do not go out. The call may have waited long for a thread. */
  readonly givenUp?: AbortSignal;
}

export type CallOutcome<Output> =
  | { readonly output: Output }
  | {
      readonly error: string;
      /** Whether the script had sent anything before it failed. If not, the gateway does not know of the call. */
      readonly hasSent: boolean;
      /** The node had no thread for the script, which did not run. */
      readonly isBusy: boolean;
    };

/**
 * Calls the live version of an account's script and keeps the record. Never within a transaction: a gateway may take ten
 * seconds to answer. Never throws because of what the script does.
 */
export async function callScript<Output>(
  platform: Platform,
  call: AccountCall<Output>,
): Promise<CallOutcome<Output>> {
  const { accountId } = call;
  const [live, config] = await Promise.all([
    liveVersionOf(platform.db, accountId),
    scriptAccess(platform, accountId),
  ]);
  if (!live) return { error: 'the account has no script that is live', hasSent: false, isBusy: false };
  if (!config) return { error: 'the account has no credentials', hasSent: false, isBusy: false };
  const { code, origins } = (await readVersion(platform.db, live.scriptId, live.version))!;
  // Private networks that are allowed by name are for callbacks and alerts: a script never reaches our networks.
  const gate = fetchGate({ origins, allowPrivate: platform.config.allowPrivateCallbacks === true });
  const { run, fetches } = await runRecorded(gate, {
    of: String(accountId),
    code,
    call: call.function,
    args: [{ ...call.input, now: platform.clock.now().getTime() }, config],
    ...(call.givenUp && { givenUp: call.givenUp }),
  });
  const read = run.error ? undefined : call.output.safeParse(run.output);
  const error: ScriptError | null =
    run.error ??
    (read!.success ? null : { kind: 'shape', message: wrongShape(read!.error), line: null, column: null });
  await insertCall(platform.db, {
    ...maskSecrets({ input: call.input, output: run.output ?? null, error, fetches, logs: run.logs }, [
      config.keySecret,
      config.webhookSecret ?? '',
    ]),
    id: platform.ids.next(),
    scriptId: live.scriptId,
    version: live.version,
    function: call.function,
    accountId,
    orderId: call.orderId,
    triedBy: null,
    durationMs: run.durationMs,
  } satisfies CallRecord);
  if (error)
    return {
      error: `${error.kind}: ${error.message}`.slice(0, 300),
      hasSent: fetches.length > 0,
      isBusy: error.kind === 'busy',
    };
  return { output: read!.data! };
}

/** Runs a script and records its fetches with their answers. */
export async function runRecorded(
  gate: ReturnType<typeof fetchGate>,
  { givenUp, ...call }: Omit<Parameters<typeof runScript>[0], 'fetch'> & { readonly givenUp?: AbortSignal },
): Promise<{ readonly run: ScriptRun; readonly fetches: readonly FetchRecord[] }> {
  const fetches: FetchRecord[] = [];
  const run = await runScript({
    ...call,
    fetch: async (request, signal) => {
      const startedAt = performance.now();
      const entry = { request, answer: { error: 'not answered in time' }, durationMs: 0 } as FetchRecord;
      const index = fetches.push(entry) - 1;
      const answer = givenUp?.aborted
        ? { error: 'nobody waits for the answer any more' }
        : await gate(request, signal);
      fetches[index] = { request, answer, durationMs: Math.round(performance.now() - startedAt) };
      return answer;
    },
  });
  return { run, fetches: [...fetches] };
}
