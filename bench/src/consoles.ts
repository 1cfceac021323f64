import { parseArgs } from 'node:util';
import { HEARTBEAT_MS, REALTIME_PATH, type RealtimeAnswer } from '@sangam/contract/realtime.ts';
import { createOrders } from '@sangam/server/collection/create.ts';
import { sql } from '@sangam/server/platform/db/database.ts';
import { openNewSession } from '@sangam/server/access/new-session.ts';
import { isRefusal } from '@sangam/server/platform/refusal.ts';
import { newOrder } from '@sangam/server/testing/payments.ts';
import { makeUser } from '@sangam/server/testing/world.ts';
import { type Rig, startRig } from './rig.ts';

/*
 * The cost of open, idle consoles: a socket each, a heartbeat every 20 s, the notifier's poll every 10 s. Measures statements per
 * second (PostgreSQL's count of transactions) above those without any console, and the time until every console knows a new order.
 *
 *   npm run bench -- consoles [--consoles 1000] [--seconds 30]
 */
const { values } = parseArgs({
  options: {
    consoles: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
    port: { type: 'string', default: '8398' },
  },
});
const consoles = Number(values.consoles);
const seconds = Number(values.seconds);
const POLL_MS = 10_000;
const USERS = 20;
const ORDERS = 10;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function transactions(rig: Rig): Promise<number> {
  const [row] = await rig.platform.db.query<{ count: number }>(sql`
    select (xact_commit + xact_rollback)::int as count from pg_stat_database where datname = current_database()`);
  return row!.count;
}

async function perSecond(rig: Rig): Promise<number> {
  const before = await transactions(rig);
  const began = performance.now();
  await pause(seconds * 1000);
  return (((await transactions(rig)) - before) * 1000) / (performance.now() - began);
}

async function openSessions(rig: Rig): Promise<string[]> {
  const users: bigint[] = [];
  for (let n = 0; n < USERS; n += 1) {
    users.push((await makeUser(rig.platform, { role: 'customerService' })).id);
  }
  return rig.platform.db.tx(async (tx) => {
    const tokens: string[] = [];
    for (let n = 0; n < consoles; n += 1) {
      const session = {
        userId: users[n % USERS]!,
        stage: 'full',
        ip: '127.0.0.1',
        userAgent: 'bench',
      } as const;
      tokens.push((await openNewSession(rig.platform, tx, session)).token);
    }
    return tokens;
  });
}

/** Opens one console. `hear` is called for each new order. */
function openConsole(rig: Rig, token: string, hear: (orderCode: string) => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(rig.url.replace('http', 'ws') + REALTIME_PATH);
    const timers: NodeJS.Timeout[] = [];
    let key: string | undefined;
    const send = (commandType: string) =>
      socket.send(JSON.stringify({ requestId: commandType, commandType, token, data: { key } }));
    const poll = () =>
      void fetch(`${rig.url}/v1.0/order/getLastOrder`, { headers: { token } }).then((answer) =>
        answer.text(),
      );
    socket.addEventListener('open', () => send('ack'));
    socket.addEventListener('error', () => reject(new Error('a console could not connect')));
    socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as RealtimeAnswer;
      if (answer.commandType === 'newOrder') hear((answer.data as { orderCode: string }).orderCode);
      if (answer.requestId !== 'ack') return;
      if (answer.code !== 200) reject(new Error(`a console was refused: ${answer.code}`));
      key = (answer.data as { key: string }).key;
      timers.push(setInterval(() => send('heartbeat'), HEARTBEAT_MS));
      // Real consoles are not opened in one moment, so their polls start at random times.
      timers.push(setTimeout(() => timers.push(setInterval(poll, POLL_MS)), Math.random() * POLL_MS));
      resolve(() => {
        timers.forEach(clearTimeout);
        socket.close();
      });
    });
  });
}

const rig = await startRig({ merchants: 1, accounts: 20 }, Number(values.port));
const closers: (() => void)[] = [];
try {
  const tokens = await openSessions(rig);
  const idle = await perSecond(rig);
  const heard = new Map<string, number[]>();
  const hear = (orderCode: string) => {
    const times = heard.get(orderCode) ?? [];
    heard.set(orderCode, times);
    times.push(performance.now());
  };
  for (const token of tokens) closers.push(await openConsole(rig, token, hear));
  await pause(POLL_MS);
  const open = await perSecond(rig);
  console.log(
    `${consoles} consoles: ${(open - idle).toFixed(1)} statements a second above the ${idle.toFixed(1)} without them`,
  );
  console.log(
    `    with a look-up of session and order at every poll: at least ${(consoles * 2000) / POLL_MS}`,
  );

  const waits: number[] = [];
  let reached = 0;
  for (let n = 0; n < ORDERS; n += 1) {
    const merchantId = BigInt(rig.merchants[0]!.mchId);
    const began = performance.now();
    const [order] = await createOrders(rig.platform, [newOrder(merchantId, { mchOrderNo: `C${n}` })]);
    if (!order || isRefusal(order)) throw new Error('the order was refused');
    await pause(2_000);
    const times = heard.get(String(order.id)) ?? [];
    reached += times.length;
    waits.push(...times.map((time) => time - began));
  }
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]?.toFixed(0);
  console.log(
    `    ${ORDERS} new orders reached ${reached} of ${ORDERS * consoles}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
} finally {
  closers.forEach((close) => close());
  await rig.stop();
}
