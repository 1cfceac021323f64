import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SignType } from '@sangam/contract/signature.ts';

/** Creates to send: `requests` of them prepared, until they or the seconds run out. */
export interface LoadOrder {
  readonly url: string;
  readonly connections: number;
  /** Requests each connection sends ahead of their answers; some of them may be refused (429) then. One unless given. */
  readonly ahead?: number;
  readonly requests: number;
  readonly seconds: number;
  readonly merchants: readonly {
    readonly mchId: string;
    readonly secret: string;
    readonly signType: SignType;
  }[];
  readonly productId: string;
  /** Order numbers begin with it; a new one for each run. */
  readonly prefix: string;
}

export interface LoadResult {
  readonly done: number;
  /** Answered 429; not among the others. */
  readonly refused: number;
  readonly seconds: number;
  /** CPU of the load program itself. */
  readonly cpuMs: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

const CLIENT = fileURLToPath(new URL('./client.ts', import.meta.url));

/** Runs the load in a process of its own; `started` is called when all is prepared and the clock starts. */
export async function runLoad(order: LoadOrder, started: () => void = () => undefined): Promise<LoadResult> {
  const client = fork(CLIENT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const failed = once(client, 'exit').then(([code]: unknown[]) => {
    throw new Error(`the load program ended with ${String(code)}`);
  });
  const told = () => Promise.race([once(client, 'message'), failed]);
  const exited = once(client, 'exit');
  client.send(order);
  await told();
  started();
  client.send('go');
  const [result] = (await told()) as [LoadResult];
  failed.catch(() => undefined);
  await exited;
  return result;
}
