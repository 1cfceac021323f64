import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cpuMsOf } from '../cpu.ts';

export interface Sink {
  /** Answers `success` at once. */
  readonly answering: string;
  /** Takes requests and never answers. */
  readonly silent: string;
  /** CPU milliseconds used so far. */
  cpuMs(): number;
  stop(): void;
}

export async function startSink(): Promise<Sink> {
  const child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)));
  const urls = await new Promise<Pick<Sink, 'answering' | 'silent'>>((resolve) =>
    child.once('message', resolve as never),
  );
  return { ...urls, cpuMs: () => cpuMsOf(child.pid!), stop: () => child.disconnect() };
}
