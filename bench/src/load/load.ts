import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SignType } from '@sangam/contract/signature.ts';

/** Creates to send: `requests` are prepared, and sending ends when they or the seconds are used up. */
export interface LoadOrder {
  readonly url: string;
  readonly connections: number;
  /** Requests that each connection sends ahead of the answers. With more than one, some may be refused (429). Default: one. */
  readonly ahead?: number;
  readonly requests: number;
  readonly seconds: number;
  readonly merchants: readonly {
    readonly mchId: string;
    readonly secret: string;
    readonly signType: SignType;
  }[];
  readonly productId: string;
  /** The beginning of the order numbers; a new one for each run. */
  readonly prefix: string;
}

export interface LoadResult {
  readonly done: number;
  /** Answered 429; not counted among the others. */
  readonly refused: number;
  readonly seconds: number;
  /** CPU milliseconds of the load program itself. */
  readonly cpuMs: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

const CLIENT = fileURLToPath(new URL('./client.ts', import.meta.url));

/** Runs the load in its own process. `started` is called when all is prepared and the clock starts. */
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
