import { inspect } from 'node:util';
import { SECOND } from './clock.ts';
import { ConfigError, readConfig } from './config.ts';
import { createLog } from './log.ts';
import { type Node, startNode } from './start.ts';

const LONGEST_STOP = 20 * SECOND;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function end(code: number, error: unknown): never {
  // Whoever set the environment wants a sentence; of anything else we want all there is.
  const text = error instanceof ConfigError ? error.message : inspect(error);
  process.stderr.write(`${text}\n`);
  process.exit(code);
}

function stopOnSignal(node: Node): void {
  let stopping = false;
  const stop = (): void => {
    // Twice means now.
    if (stopping) process.exit(1);
    stopping = true;
    say('Stopping ...');
    setTimeout(() => end(1, new Error('not stopped within 20 s')), LONGEST_STOP).unref();
    node.stop().then(
      () => process.exit(0),
      (error: unknown) => end(1, error),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

try {
  const node = await startNode(readConfig(process.env), createLog('info'), (error) => end(1, error));
  stopOnSignal(node);
  say(node.url === undefined ? 'Working (no address: ROLE=worker).' : `Listening on ${node.url}`);
} catch (error) {
  end(error instanceof ConfigError ? 2 : 1, error);
}
