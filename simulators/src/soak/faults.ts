import { connect, type NetConnectOpts } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { callLine } from '@sangam/contract/sign-types.ts';
import { sign } from '@sangam/contract/signature.ts';
import { openDatabase } from '@sangam/server/platform/db/database.ts';
import { NAMELESS_EXPORT } from '@sangam/server/testing/nameless-export.ts';
import { startSilentProxy } from '@sangam/server/testing/silent-proxy.ts';
import { createConsoleClient } from '../console/console-client.ts';
import type { Demo } from '../demo-file.ts';
import type { Cluster } from './cluster.ts';
import { LeftToPeople, type Asked, type Traffic } from './traffic.ts';

/** What a fault may use. */
export interface Scene {
  readonly cluster: Cluster;
  readonly demo: Demo;
  readonly traffic: Traffic;
  /** Makes orders whose callback goes to a name whose server never answers. */
  readonly makeUnheard: (count: number) => Asked[];
}

interface Fault {
  readonly name: string;
  /** Resolves when the fault is over and repaired. */
  run(scene: Scene): Promise<void>;
}

const CREATE = '/v1.0/api/order/create';
/** How long most faults last, in seconds. */
const LASTS = 20;
const seconds = (count: number) => sleep(count * 1_000);

/** The merchant that sends too many requests. It is not one of those served meanwhile. */
export const greedyOf = ({ merchants }: Demo) => merchants.find(({ signType }) => signType === 'md5')!;

/**
 * Faults that have been seen in production, of neighbours and of machines. Each lasts some seconds, while other merchants are
 * served.
 */
export const FAULTS: readonly Fault[] = [
  { name: 'nothing', run: () => seconds(LASTS) },
  {
    name: 'kill -9 of one node, then of another',
    async run({ cluster }) {
      for (const victim of ['api', 'worker'] as const) {
        await cluster.kill(victim, false);
        await seconds(4);
        await cluster.restart();
        await seconds(2);
      }
    },
  },
  {
    name: 'PostgreSQL restarted',
    async run({ cluster }) {
      await cluster.restartPostgres();
      await seconds(8);
      await cluster.restart();
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    async run({ cluster }) {
      await cluster.kill('postgres', false);
      await cluster.restart();
      await seconds(8);
    },
  },
  {
    name: 'a node stopped for 75 s, so that the others count it as dead, then continued',
    async run({ cluster }) {
      cluster.freeze('api 2', true);
      await seconds(75);
      cluster.freeze('api 2', false);
      await seconds(5);
      // The node has ended itself; the cluster restarts it, as a supervisor would.
      await cluster.restart();
    },
  },
  {
    name: 'the network between a node and the database drops everything',
    async run({ cluster }) {
      const proxy = await startSilentProxy(cluster.databaseUrl);
      const owner = await startSilentProxy(cluster.databaseUrl);
      await cluster.renew('api 2', { DATABASE_URL: proxy.url, DATABASE_OWNER_URL: owner.url });
      await seconds(3);
      proxy.swallows = true;
      await seconds(LASTS);
      await cluster.renew('api 2');
      await Promise.all([proxy.close(), owner.close()]);
    },
  },
  {
    name: 'a node whose clock is 20 minutes ahead',
    async run({ cluster }) {
      await cluster.renew('worker', { SOAK_AHEAD_MS: String(20 * 60_000) });
      await seconds(LASTS);
      await cluster.renew('worker');
    },
  },
  {
    name: 'merchants whose name server never answers',
    async run({ traffic, makeUnheard }) {
      const orders = makeUnheard(60);
      await Promise.all(
        orders.map(async (each) => {
          each.acknowledged = await each.again();
          await traffic.pay(each).catch((error: unknown) => {
            if (!(error instanceof LeftToPeople)) throw error;
          });
        }),
      );
      await seconds(LASTS);
    },
  },
  {
    name: 'one merchant with 8 sockets of 5,000 pipelined creates',
    run: async ({ cluster, demo }) => {
      const merchant = greedyOf(demo);
      const { hostname, port } = new URL(cluster.urls[0]!);
      const fields = {
        mchId: merchant.mchId,
        productId: '1010',
        mchOrderNo: `greedy-${Date.now()}`,
        amount: '50000',
        notifyUrl: 'http://127.0.0.1:9/notify',
      };
      const line = callLine({ method: 'POST', path: CREATE });
      const body = JSON.stringify({ ...fields, sign: sign(fields, 'md5', merchant.secret, line) });
      const request =
        `POST ${CREATE} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
      const sockets = Array.from({ length: 8 }, () => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        socket.resume();
        socket.write(request.repeat(5_000));
        return socket;
      });
      await seconds(LASTS);
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    name: '200 callers who send their bodies very slowly',
    async run({ cluster }) {
      const { hostname, port } = new URL(cluster.urls[0]!);
      const sockets = Array.from({ length: 200 }, () => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        socket.write(
          `POST ${CREATE} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n`,
        );
        return socket;
      });
      for (let second = 0; second < LASTS; second += 1) {
        for (const socket of sockets) if (!socket.destroyed) socket.write('{');
        await seconds(1);
      }
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    name: '400 callers who open a connection for each call',
    async run({ cluster }) {
      const { hostname, port } = new URL(cluster.urls[0]!);
      const until = Date.now() + LASTS * 1_000;
      await Promise.all(
        Array.from({ length: 400 }, async (_, caller) => {
          // Each from its own address: the limit per address is not what this tests.
          const localAddress = `127.1.${caller >> 7}.${1 + (caller & 127)}`;
          while (Date.now() < until) await callOnce({ host: hostname, port: Number(port), localAddress });
        }),
      );
    },
  },
  {
    name: '8 exports of all orders, again and again',
    async run({ cluster, demo }) {
      const until = Date.now() + LASTS * 1_000;
      const users = demo.users.filter(({ role }) => role === 'admin' || role === 'superAdmin').slice(0, 4);
      await Promise.all(
        [...users, ...users].map(async (user) => {
          const console = createConsoleClient({ url: cluster.urls[0]!, user });
          while (Date.now() < until) await console.get('/v1.0/list/export', NAMELESS_EXPORT);
        }),
      );
    },
  },
  {
    name: 'a snapshot held for 30 s',
    run: ({ cluster }) => heldOpen(cluster, 30, 'select count(*) from merchants'),
  },
  {
    name: 'the table of orders locked for 6 s',
    run: ({ cluster }) => heldOpen(cluster, 6, 'lock table collection_orders in access exclusive mode'),
  },
];

/** One call on a connection of its own. Resolves when it is closed, with or without an answer, or when a caller would give up. */
function callOnce(address: NetConnectOpts): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(address, () =>
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'),
    );
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.setTimeout(15_000, () => socket.destroy());
    socket.resume();
  });
}

/** A transaction that stays idle after this statement. */
async function heldOpen(cluster: Cluster, count: number, statement: string): Promise<void> {
  const limits = { silence: 0, idleInTransaction: 0 };
  const db = openDatabase(cluster.databaseUrl, { applicationName: 'soak', limits });
  const client = await db.pool.connect();
  try {
    await client.query('begin isolation level repeatable read');
    await client.query(statement);
    await seconds(count);
    await client.query('rollback');
  } finally {
    client.release(true);
    await db.close();
  }
}
