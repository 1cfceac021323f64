import { readFile } from 'node:fs/promises';
import { type MessagePort, parentPort } from 'node:worker_threads';
import variantModule from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { SCRIPT_FUNCTIONS } from '@sangam/contract/pay-scripts.ts';
import { HELPERS } from './helpers.ts';
import { LIMITS } from './limits.ts';
import { PRELUDE } from './prelude.ts';
import type { FromSandbox, RunMessage, ScriptError, ToSandbox } from './wire.ts';

/** Its types describe CommonJS, but the loaded file is an ES module: the default export is the variant itself. */
const variant = variantModule as unknown as QuickJSSyncVariant;

/** Declared here, because our types are those of Node without those of a browser. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

/**
 * The thread that runs scripts: one call at a time, each in an engine of its own. The engine is QuickJS compiled to
 * WebAssembly. A script sees only its own heap and the functions of the prelude, whose arguments and answers are strings. The
 * host ends this thread when a call does not end by itself.
 */
const FILE = 'script.js';
/** Finds a function by its name in the script's scope, also one declared with const. */
const inScope = (name: string) => `typeof ${name} === 'function' ? ${name} : undefined`;
const ALL_FUNCTIONS = `() => ({ ${SCRIPT_FUNCTIONS.map((name) => `${name}: typeof ${name} === 'function'`).join(', ')} })`;
const WASM = '@jitl/quickjs-wasmfile-release-sync/wasm';

if (parentPort) await serve(parentPort);

async function serve(port: MessagePort): Promise<void> {
  const wasmModule = await WebAssembly.compile(await readFile(new URL(import.meta.resolve(WASM))));
  const compiled = newVariant(variant, { wasmModule });
  let current: Call | undefined;
  const take = async (message: ToSandbox): Promise<void> => {
    if (message.kind === 'answer') return current?.answer(message.id, message.answer);
    current = undefined;
    // A new instance for each call: no data of another call is in its memory, and all memory is freed at once.
    const engine = await newQuickJSWASMModuleFromVariant(compiled);
    current = beginCall(engine, message, (answer) => port.postMessage(answer));
  };
  port.on('message', (message: ToSandbox) => {
    take(message).catch((error: unknown) => {
      port.postMessage(crashed(error) satisfies FromSandbox);
    });
  });
}

interface Call {
  answer(id: number, answer: string): void;
}

function beginCall(
  engine: QuickJSWASMModule,
  message: RunMessage,
  post: (answer: FromSandbox) => void,
): Call {
  const runtime = engine.newRuntime({
    memoryLimitBytes: LIMITS.memoryBytes,
    maxStackSizeBytes: LIMITS.stackBytes,
  });
  const startedAt = cpuMs();
  let isCpuSpent = false;
  runtime.setInterruptHandler(() => {
    isCpuSpent ||= cpuMs() - startedAt > LIMITS.cpuMs;
    return isCpuSpent;
  });
  const context = runtime.newContext();
  const waiting = new Map<number, QuickJSDeferredPromise>();
  let isOver = false;
  let result: QuickJSHandle | undefined;

  const end = (answer: FromSandbox): void => {
    if (isOver) return;
    isOver = true;
    post(answer);
  };
  const fail = (kind: ScriptError['kind'], text: string): void =>
    end({ kind: 'failed', error: { kind, message: text, line: null, column: null } });
  const failWith = (described: string, isReading = false): void =>
    end({ kind: 'failed', error: errorOf(described, isReading) });

  const prelude = unwrap(context, context.evalCode(PRELUDE, 'prelude', { strict: true }));
  const tools = unwrap(
    context,
    context.callFunction(
      prelude,
      context.undefined,
      helperFunction(context),
      fetchFunction(context, waiting, post),
      logFunction(context, post),
    ),
  );

  /** Lets the script run as far as it can, and checks whether it has ended. */
  const proceed = (): void => {
    const ran = runtime.executePendingJobs();
    if (isCpuSpent) return fail('cpu', `used its ${LIMITS.cpuMs / 1000} s of processor time`);
    if (ran.error) return failWith(describe(context, tools, ran.error));
    const state = context.getPromiseState(result!);
    if (state.type === 'pending') {
      if (waiting.size === 0) fail('pending', 'waits for a promise that nothing will settle');
      return;
    }
    if (state.type === 'rejected') return failWith(describe(context, tools, state.error));
    const length = context.getProp(state.value, 'length').consume((handle) => context.getNumber(handle));
    if (length > LIMITS.outputBytes) return fail('output', `its answer is over ${LIMITS.outputBytes} bytes`);
    const text = context.getString(state.value);
    if (text.startsWith('o')) end({ kind: 'done', output: text.slice(1) });
    else failWith(text.slice(1));
  };

  const begin = (): void => {
    const evaluated = context.evalCode(message.code, FILE, { strict: true });
    if (isCpuSpent) return fail('cpu', `used its ${LIMITS.cpuMs / 1000} s of processor time`);
    if (evaluated.error) return failWith(describe(context, tools, evaluated.error), true);
    const named = context.evalCode(
      message.call === 'functions' ? ALL_FUNCTIONS : inScope(message.call),
      FILE,
    );
    if (named.error) return failWith(describe(context, tools, named.error));
    if (context.typeof(named.value) !== 'function')
      return fail('missing', `there is no function ${message.call}`);
    const run = context.getProp(tools, 'run');
    const called = context.callFunction(run, context.undefined, named.value, context.newString(message.args));
    if (isCpuSpent) return fail('cpu', `used its ${LIMITS.cpuMs / 1000} s of processor time`);
    if (called.error) return failWith(describe(context, tools, called.error));
    result = called.value;
    proceed();
  };

  begin();
  return {
    answer(id, answer) {
      const deferred = waiting.get(id);
      waiting.delete(id);
      if (isOver || !deferred) return;
      deferred.resolve(context.newString(answer));
      proceed();
    },
  };
}

function helperFunction(context: QuickJSContext): QuickJSHandle {
  return context.newFunction('helper', (name, ...args) => {
    const helper = HELPERS[context.getString(name)];
    try {
      return context.newString(helper!(...args.map((arg) => context.getString(arg))));
    } catch (error) {
      return { error: context.newError(error instanceof Error ? error.message : 'refused') };
    }
  });
}

function fetchFunction(
  context: QuickJSContext,
  waiting: Map<number, QuickJSDeferredPromise>,
  post: (answer: FromSandbox) => void,
): QuickJSHandle {
  let count = 0;
  return context.newFunction('sendFetch', (request) => {
    count += 1;
    if (count > LIMITS.fetches) return { error: context.newError(`more than ${LIMITS.fetches} fetches`) };
    const deferred = context.newPromise();
    waiting.set(count, deferred);
    post({ kind: 'fetch', id: count, request: context.getString(request) });
    return deferred.handle;
  });
}

function logFunction(context: QuickJSContext, post: (answer: FromSandbox) => void): QuickJSHandle {
  let lines = 0;
  return context.newFunction('sendLog', (line) => {
    lines += 1;
    if (lines <= LIMITS.logLines)
      post({ kind: 'log', line: context.getString(line).slice(0, LIMITS.logChars) });
  });
}

function describe(context: QuickJSContext, tools: QuickJSHandle, error: QuickJSHandle): string {
  const described = context.callFunction(context.getProp(tools, 'describe'), context.undefined, error);
  return described.error
    ? JSON.stringify(['', 'something that cannot be shown was thrown', ''])
    : context.getString(described.value);
}

/** Name, message and stack as the prelude reports them. The place is the top line of the script itself. */
function errorOf(described: string, isReading: boolean): ScriptError {
  const [name, message, stack] = JSON.parse(described) as [string, string, string];
  const place = /script\.js:(\d+)(?::(\d+))?/.exec(stack);
  const isMemory = name === 'InternalError' && /out of memory/.test(message);
  const kind = isMemory ? 'memory' : isReading && name === 'SyntaxError' ? 'syntax' : 'thrown';
  return {
    kind,
    message: name && name !== 'Error' ? `${name}: ${message}` : message,
    line: place ? Number(place[1]) : null,
    column: place?.[2] ? Number(place[2]) : null,
  };
}

/** The engine itself failed, or did not start. */
function crashed(error: unknown): FromSandbox {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', error: { kind: 'crashed', message, line: null, column: null } };
}

function unwrap(context: QuickJSContext, result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
  if (result.error) throw new Error(JSON.stringify(context.dump(result.error)));
  return result.value;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
