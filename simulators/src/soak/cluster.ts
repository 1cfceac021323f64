import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEmbedded, type EmbeddedDatabase } from '@sangam/server/platform/db/embedded.ts';
import { NODE_ARGS, NODE_ENV } from './node-process.ts';

export const VICTIMS = ['api', 'worker', 'postgres'] as const;
export type Victim = (typeof VICTIMS)[number];

/** Real processes on one machine: PostgreSQL, two API nodes and a worker. */
export interface Cluster {
  readonly urls: readonly string[];
  readonly databaseUrl: string;
  /** Kills the victim with SIGKILL, at once; `second` selects the second API node. */
  kill(victim: Victim, second: boolean): Promise<void>;
  /** Restarts every process that has ended; resolves when all answer. Returns the ones that had ended by themselves. */
  restart(): Promise<string[]>;
  /** Stops PostgreSQL as an administrator does, and starts it again. */
  restartPostgres(): Promise<void>;
  /** Ends a node in order and starts it again, with these variables in addition to its own. */
  renew(node: NodeName, env?: Readonly<Record<string, string>>): Promise<void>;
  /** Sends SIGSTOP or SIGCONT. */
  freeze(node: NodeName, frozen: boolean): void;
  stop(): Promise<void>;
}

export type NodeName = 'api 1' | 'api 2' | 'worker';

/** With ten accounts, each gets so many orders a minute that its chain waits for a person. With these, each gets about six. */
const RECEIVING_ACCOUNTS = 100;

interface NodeProcess {
  readonly name: NodeName;
  readonly role: 'api' | 'worker';
  readonly port: number;
  child: ChildProcess | undefined;
  killed: boolean;
}

/** `env` is for every node; `preload.ts` reads it. */
export async function startCluster(
  dataDir: string,
  demoOrders: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  let database = await startEmbedded({ dataDir, log: () => undefined });
  const nodes: NodeProcess[] = [];
  for (const [name, role] of [
    ['api 1', 'api'],
    ['api 2', 'api'],
    ['worker', 'worker'],
  ] as const)
    nodes.push({ name, role, port: await freePort(), child: undefined, killed: false });

  async function startOne(node: NodeProcess, own: Readonly<Record<string, string>> = {}): Promise<void> {
    node.killed = false;
    const child = spawn(
      process.execPath,
      [...NODE_ARGS, `--demo-orders=${demoOrders}`, `--demo-accounts=${RECEIVING_ACCOUNTS}`],
      {
        env: {
          PATH: process.env['PATH'],
          ...NODE_ENV,
          DATA_DIR: dataDir,
          DATABASE_URL: database.applicationUrl,
          DATABASE_OWNER_URL: database.url,
          ROLE: node.role,
          PORT: String(node.port),
          DEMO: '1',
          ...env,
          ...own,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    node.child = child;
    const log = join(dataDir, `${node.name.replace(' ', '-')}.log`);
    child.stderr.on('data', (chunk: Buffer) => appendFileSync(log, chunk));
    const lines = createInterface(child.stdout);
    const ready = new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        appendFileSync(log, `${line}\n`);
        if (line.startsWith('Listening on') || line.startsWith('Working')) resolve();
      });
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${node.name} ended while it started; its log is ${log}`);
    });
    await Promise.race([ready, ended]);
    ended.catch(() => undefined);
  }

  const runs = ({ child }: NodeProcess) =>
    child !== undefined && child.exitCode === null && child.signalCode === null;

  // The first node creates the demo world; the others find it.
  await startOne(nodes[0]!);
  await Promise.all(nodes.slice(1).map((node) => startOne(node)));
  const called = (name: NodeName) => nodes.find((node) => node.name === name)!;
  return {
    urls: nodes.filter(({ role }) => role === 'api').map(({ port }) => `http://127.0.0.1:${port}`),
    get databaseUrl() {
      return database.url;
    },
    async kill(victim, second) {
      if (victim === 'postgres') return killPostgres(dataDir);
      const node = victim === 'worker' ? nodes[2]! : nodes[second ? 1 : 0]!;
      if (!runs(node)) return;
      node.killed = true;
      const gone = once(node.child!, 'exit');
      node.child!.kill('SIGKILL');
      await gone;
    },
    async restart() {
      const url = database.url;
      database = await revive(database, dataDir);
      const ended = nodes.filter((node) => !runs(node) && !node.killed).map(({ name }) => name);
      // The port was taken meanwhile, so every node must use another address.
      if (database.url !== url) await Promise.all(nodes.filter(runs).map(endNode));
      await Promise.all(nodes.filter((node) => !runs(node)).map((node) => startOne(node)));
      return ended;
    },
    async restartPostgres() {
      await database.stop();
      database = await startEmbedded({ dataDir, log: () => undefined });
    },
    async renew(name, own) {
      if (runs(called(name))) await endNode(called(name));
      await startOne(called(name), own);
    },
    freeze(name, frozen) {
      called(name).child!.kill(frozen ? 'SIGSTOP' : 'SIGCONT');
    },
    async stop() {
      await Promise.all(nodes.filter(runs).map(endNode));
      await database.stop();
    },
  };
}

async function endNode({ child }: NodeProcess): Promise<void> {
  const gone = once(child!, 'exit');
  child!.kill('SIGTERM');
  await gone;
}

async function revive(database: EmbeddedDatabase, dataDir: string): Promise<EmbeddedDatabase> {
  if (postmasterOf(dataDir) !== undefined) return database;
  await database.stop();
  return startEmbedded({ dataDir, log: () => undefined });
}

/** Kills the postmaster and all processes it has started, each by its id, as in a power failure. */
async function killPostgres(dataDir: string): Promise<void> {
  const postmaster = postmasterOf(dataDir);
  if (postmaster === undefined) return;
  const family = [postmaster, ...childrenOf(postmaster)];
  for (const pid of family) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself in between.
    }
  }
  while (family.some((pid) => statOf(pid) !== undefined))
    await new Promise((resolve) => setTimeout(resolve, 5));
}

function postmasterOf(dataDir: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
    return statOf(pid) === undefined ? undefined : pid;
  } catch {
    return undefined;
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.[1] === String(parent));
}

/** State and parent of a process; undefined if it is gone or only waits to be reaped. */
function statOf(pid: number): string[] | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields;
  } catch {
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, '127.0.0.1', resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return port;
}
