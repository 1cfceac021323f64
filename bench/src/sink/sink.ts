import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Sink {
  /** Answers `success` at once. */
  readonly answering: string;
  /** Takes requests and never answers. */
  readonly silent: string;
  stop(): void;
}

export async function startSink(): Promise<Sink> {
  const child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)));
  const urls = await new Promise<Omit<Sink, 'stop'>>((resolve) => child.once('message', resolve as never));
  return { ...urls, stop: () => child.disconnect() };
}
