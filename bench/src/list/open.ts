import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbedded } from '@sangam/server/platform/db/embedded.ts';
import { migrate } from '@sangam/server/platform/db/migrate.ts';
import { openNewSession } from '@sangam/server/access/new-session.ts';
import type { Platform } from '@sangam/server/platform/platform.ts';
import { makeUser } from '@sangam/server/testing/world.ts';
import { cpuMsOf } from '../cpu.ts';
import { benchPlatform, startServer, stopProcess } from '../rig.ts';
import { folderOf, isSeeded, seedOrders } from './seed-orders.ts';

/** A server over seeded orders, with a superAdmin's session. */
export interface Seeded {
  readonly orders: number;
  readonly platform: Platform;
  readonly url: string;
  /** Milliseconds from the request to the end of its answer. Throws on any answer but success. */
  timed(path: string, query: Readonly<Record<string, string>>): Promise<number>;
  /** CPU milliseconds used so far, by the server and by PostgreSQL with all its backends. */
  cpuMs(): { readonly server: number; readonly postgres: number };
  stop(): Promise<void>;
}

export async function openSeeded(orders: number, port: number): Promise<Seeded> {
  const dataDir = folderOf(orders);
  if (!isSeeded(dataDir)) {
    console.log(`seeding ${orders} orders in ${dataDir}`);
    await seedOrders(dataDir, orders);
  }
  const embedded = await startEmbedded({ dataDir, log: () => undefined });
  await migrate(embedded.url);
  const platform = benchPlatform({ databaseUrl: embedded.url, dataDir, port });
  const token = await newToken(platform);
  const server = await startServer(platform, 'api');
  const postmaster = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  const address = `http://127.0.0.1:${port}`;
  return {
    orders,
    platform,
    url: address,
    async timed(path, query) {
      const url = `${address}${path}?${new URLSearchParams(query).toString()}`;
      const startedAt = performance.now();
      const answer = await fetch(url, { headers: { token } });
      const body = (await answer.json()) as { code: number };
      const taken = performance.now() - startedAt;
      if (body.code !== 200) throw new Error(`${url} was answered ${JSON.stringify(body)}`);
      return taken;
    },
    cpuMs: () => ({ server: cpuMsOf(server.pid!), postgres: cpuMsOf(postmaster) }),
    async stop() {
      await stopProcess(server);
      await platform.db.close();
      await embedded.stop();
    },
  };
}

/** Makes a new superAdmin's session and returns its token. */
export async function newToken(platform: Platform): Promise<string> {
  const account = `bench${randomBytes(6).toString('hex')}`;
  const { id: userId } = await makeUser(platform, { role: 'superAdmin', account });
  const session = { userId, stage: 'full', ip: '127.0.0.1', userAgent: 'bench' } as const;
  return platform.db.tx(async (tx) => (await openNewSession(platform, tx, session)).token);
}
