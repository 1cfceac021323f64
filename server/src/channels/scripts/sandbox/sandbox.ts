import { Worker } from 'node:worker_threads';
import type { ScriptFunction } from '@sangam/contract/pay-scripts.ts';
import { MINUTE, SECOND } from '../../../platform/clock.ts';
import { LIMITS } from './limits.ts';
import {
  FETCH_REQUEST,
  type FetchAnswer,
  type FetchRequest,
  type FromSandbox,
  type ScriptError,
  type ToSandbox,
} from './wire.ts';

/** Calls of one node at once; further calls wait for a free thread. */
const MOST_THREADS = 8;
/** Calls of one account at once, and how many more of its calls may wait: a gateway that never answers must not stop the others. */
const MOST_OF_ONE = 3;
const MOST_WAITING_OF_ONE = 64;
/** A thread ends after this many calls, and frees whatever its engine has kept in memory. */
const CALLS_OF_A_THREAD = 500;
/** An idle thread ends after this time: eight threads took 173 MB after their first call, 115 MB after sixty. */
const LONGEST_REST = MINUTE;
/** How often the processor time of a running thread is checked, and how far it may exceed the script's own limit. */
const LOOK_EVERY = 0.25 * SECOND;
const CPU_SLACK_MS = 0.5 * SECOND;

export interface ScriptCall {
  /** Who calls: an account, or 'console'. Each has its own share of the threads. */
  readonly of: string;
  readonly code: string;
  /** 'functions' only reads the script, and answers the names of its functions. */
  readonly call: ScriptFunction | 'functions';
  readonly args: readonly unknown[];
  /** Answers the script's fetches; never throws. */
  readonly fetch: (request: FetchRequest, signal: AbortSignal) => Promise<FetchAnswer>;
}

export interface ScriptRun {
  /** Undefined where the call failed. */
  readonly output: unknown;
  readonly error: ScriptError | null;
  readonly logs: readonly string[];
  readonly durationMs: number;
}

interface Thread {
  readonly worker: Worker;
  calls: number;
  /** Ends the thread when it has been idle too long. */
  rest?: NodeJS.Timeout;
}

const idle: Thread[] = [];
/** Calls that wait, oldest first. */
const queue: { readonly of: string; readonly start: (thread: Thread) => void }[] = [];
/** Calls that run, by who calls. */
const running = new Map<string, number>();
let threads = 0;

/**
 * Calls one function of a script with the given arguments (JSON); answers its result. Never throws: any fault of the script
 * becomes an `error`, within `wholeMs` of the start. Tests of other limits pass more time, because on a loaded machine a script
 * may not get two seconds of processor time within ten.
 */
export async function runScript(call: ScriptCall, wholeMs: number = LIMITS.wholeMs): Promise<ScriptRun> {
  const thread = await takeThread(call.of);
  if (!thread) return failed('busy', 'too many calls wait for a free thread');
  const run = await runOn(thread, call, wholeMs);
  thread.calls += 1;
  count(call.of, -1);
  const isSound = run.error === null || ['thrown', 'syntax', 'missing', 'pending'].includes(run.error.kind);
  if (isSound && thread.calls < CALLS_OF_A_THREAD) rest(thread);
  else await end(thread);
  serveQueue();
  return run;
}

function count(of: string, more: number): void {
  const now = (running.get(of) ?? 0) + more;
  if (now === 0) running.delete(of);
  else running.set(of, now);
}

/** A thread for a call. Undefined when too many calls of the same account wait. */
function takeThread(of: string): Promise<Thread | undefined> {
  if (queue.filter((each) => each.of === of).length >= MOST_WAITING_OF_ONE) return Promise.resolve(undefined);
  return new Promise((start) => {
    queue.push({ of, start });
    serveQueue();
  });
}

/** Gives free threads to the oldest waiting calls of accounts that use less than their share. */
function serveQueue(): void {
  for (;;) {
    const at = queue.findIndex(({ of }) => (running.get(of) ?? 0) < MOST_OF_ONE);
    const thread = at < 0 ? undefined : (idle.pop() ?? (threads < MOST_THREADS ? startThread() : undefined));
    if (!thread) return;
    clearTimeout(thread.rest);
    const [next] = queue.splice(at, 1);
    count(next!.of, 1);
    next!.start(thread);
  }
}

function startThread(): Thread {
  threads += 1;
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    // Without our environment and our flags.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  // A thread that dies while nobody listens must not end the process.
  worker.on('error', () => {});
  // An idle thread does not keep the process alive.
  worker.unref();
  return { worker, calls: 0 };
}

function rest(thread: Thread): void {
  idle.push(thread);
  thread.rest = setTimeout(() => {
    idle.splice(idle.indexOf(thread), 1);
    void end(thread);
  }, LONGEST_REST).unref();
}

async function end({ worker }: Thread): Promise<void> {
  threads -= 1;
  await worker.terminate();
}

function runOn(
  { worker }: Thread,
  { code, call, args, fetch }: ScriptCall,
  wholeMs: number,
): Promise<ScriptRun> {
  const logs: string[] = [];
  const startedAt = performance.now();
  const stop = new AbortController();
  return new Promise((resolve) => {
    const finish = (output: unknown, error: ScriptError | null): void => {
      clearTimeout(whole);
      clearInterval(looks);
      worker.off('message', hear).off('error', broke).off('exit', left);
      stop.abort();
      worker.unref();
      resolve({ output, error, logs, durationMs: Math.round(performance.now() - startedAt) });
    };
    const fail = (kind: ScriptError['kind'], message: string): void =>
      finish(undefined, { kind, message, line: null, column: null });
    const broke = (error: Error): void => fail('crashed', `the sandbox ended: ${error.message}`);
    const left = (): void => fail('crashed', 'the sandbox ended');
    const hear = (message: FromSandbox): void => {
      switch (message.kind) {
        case 'log':
          logs.push(message.line);
          return;
        case 'fetch':
          void answerTo(message.request, (request) => fetch(request, stop.signal)).then((reply) => {
            // The thread may already run another call, which numbers its fetches from one again.
            if (!stop.signal.aborted)
              tell(worker, { kind: 'answer', id: message.id, answer: JSON.stringify(reply) });
          });
          return;
        case 'done':
          finish(JSON.parse(message.output), null);
          return;
        case 'failed':
          finish(undefined, message.error);
      }
    };
    const whole = setTimeout(() => fail('time', `did not end within ${wholeMs / SECOND} s`), wholeMs);
    // The engine checks its time itself. This also covers what the engine cannot check, such as one long step of its own.
    const looks = watchCpu(worker, () =>
      fail('cpu', `used its ${LIMITS.cpuMs / SECOND} s of processor time`),
    );
    worker.ref();
    worker.on('error', broke).on('exit', left).on('message', hear);
    tell(worker, { kind: 'run', code, call, args: JSON.stringify(args) });
  });
}

function watchCpu(worker: Worker, spent: () => void): NodeJS.Timeout {
  let atFirst: number | undefined;
  return setInterval(() => {
    worker.cpuUsage().then(
      ({ user, system }) => {
        const usedMs = (user + system) / 1000;
        atFirst ??= Math.max(0, usedMs - LOOK_EVERY);
        if (usedMs - atFirst > LIMITS.cpuMs + CPU_SLACK_MS) spent();
      },
      () => {},
    );
  }, LOOK_EVERY);
}

/** Never rejects, because an unhandled rejection ends the node. Instead the script's fetch fails. */
async function answerTo(
  request: string,
  fetch: (request: FetchRequest) => Promise<FetchAnswer>,
): Promise<FetchAnswer> {
  try {
    return await fetch(FETCH_REQUEST.parse(JSON.parse(request)));
  } catch {
    return { error: 'what it asks for cannot be fetched' };
  }
}

function tell(worker: Worker, message: ToSandbox): void {
  worker.postMessage(message);
}

function failed(kind: ScriptError['kind'], message: string): ScriptRun {
  return {
    output: undefined,
    error: { kind, message, line: null, column: null },
    logs: [],
    durationMs: 0,
  };
}
