import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openDatabase, sql, type Database } from '@sangam/server/platform/db/database.ts';
import { startEmbedded } from '@sangam/server/platform/db/embedded.ts';
import { NODE_ARGS, NODE_ENV } from '../node-process.ts';
import { ADDRESSES } from './network.ts';
import { NODE_PORT } from './wire.ts';

const [ORDERS, ACCOUNTS] = [2_000, 100];

export interface ProductionNode {
  /** A connection as the owner of the tables, for preparing and checking what no attacker can. */
  readonly owner: Database;
  /** Starts a node with these variables, which must fail; returns its exit code. */
  refusedStart(env: Readonly<Record<string, string>>): Promise<number | null>;
  stop(): Promise<void>;
}

/** A production node behind a proxy on another address, with a demo world whose database is marked as a production one. */
export async function startProduction(dataDir: string, nameServer: string): Promise<ProductionNode> {
  const database = await startEmbedded({ dataDir, log: () => undefined });
  const run = (env: Readonly<Record<string, string>>) => {
    const child = spawn(
      process.execPath,
      [...NODE_ARGS, `--demo-orders=${ORDERS}`, `--demo-accounts=${ACCOUNTS}`],
      {
        env: {
          PATH: process.env['PATH'],
          ...NODE_ENV,
          DATA_DIR: dataDir,
          DATABASE_URL: database.applicationUrl,
          DATABASE_OWNER_URL: database.url,
          SOAK_NAME_SERVER: nameServer,
          ACCESS_LOG: '0',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const lines: string[] = [];
    const ready = new Promise<void>((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        lines.push(line);
        if (line.startsWith('Listening on')) resolve();
      });
    });
    const ended = once(child, 'exit').then(([code]) => code as number | null);
    const started = Promise.race([
      ready,
      ended.then((code) => {
        throw new Error(`The node ended (${code}) while it started.\n${lines.slice(-20).join('\n')}`);
      }),
    ]);
    return {
      started,
      ended,
      end: async () => {
        child.kill('SIGTERM');
        await ended;
      },
    };
  };

  const demo = run({ DEMO: '1', PORT: '0' });
  await demo.started;
  await demo.end();
  const owner = openDatabase(database.url, { maxConnections: 2 });
  await owner.query(sql`update installation set kind = 'production'`);
  const production = {
    NODE_ENV: 'production',
    HOST: '0.0.0.0',
    PORT: String(NODE_PORT),
    TRUSTED_PROXIES: ADDRESSES.proxy,
  };
  const node = run(production);
  await node.started;
  return {
    owner,
    async refusedStart(env) {
      const other = run({ PORT: '0', HOST: '127.0.0.1', ...env });
      other.started.then(other.end, () => undefined);
      return other.ended;
    },
    async stop() {
      await node.end();
      await owner.close();
      await database.stop();
    },
  };
}
