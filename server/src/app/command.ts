import { readConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import type { Platform } from '../platform/platform.ts';
import { startNode, type StartOptions } from './start.ts';

/** Runs a command of the console. A failure is written to stderr and makes the exit code 1. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/** Does some work on a node of its own, which migrates the database, answers only this machine and runs no loops. */
export async function onOwnNode(
  work: (platform: Platform) => Promise<void>,
  options: StartOptions = {},
): Promise<void> {
  const config = {
    ...readConfig(process.env),
    role: 'api',
    host: '127.0.0.1',
    port: 0,
    demo: false,
  } as const;
  const onLost = (error: unknown) => {
    throw error;
  };
  const node = await startNode(config, createLog('warn'), onLost, options);
  try {
    await work(node.platform);
  } finally {
    await node.stop();
  }
}
