import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { callerFrom, NODE_PORT, PROXY_PORT } from './wire.ts';
import { each, type Attack } from './attack.ts';
import { ADDRESSES, hostile } from './network.ts';
import { signIn, userOf } from './people.ts';

const FLOOD_MS = 20_000;
/** The node cuts a request that is incomplete after 20 s; it checks every few seconds. */
const CUT_WITHIN_MS = 35_000;
const SLOW_SOCKETS = 200;
const PAUSE_MS = 50;

/** Sockets that begin a request and send one byte a second, at the proxy and at the node itself. */
export const slowBodies: Attack = {
  name: `${2 * SLOW_SOCKETS} requests of one byte a second`,
  async run() {
    // A proxy passes on a refusal but may keep its own connection.
    const answered = new Set<Socket>();
    const sockets = [...Array(2 * SLOW_SOCKETS).keys()].map((index) => {
      const [host, port] = index % 2 === 0 ? [ADDRESSES.proxy, PROXY_PORT] : [ADDRESSES.node, NODE_PORT];
      const socket = connect({ host, port, localAddress: hostile(1_000 + index) });
      socket.on('error', () => undefined);
      socket.on('data', () => answered.add(socket));
      const path = [
        '/v1.0/user/login',
        '/v1.0/api/order/create',
        '/v1.0/monitor/report',
        '/v1.0/gateway/1/webhook',
      ][index % 4]!;
      // At the node itself some never end their headers. At the proxy, that would only test the proxy.
      const isBody = index % 4 !== 3;
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${isBody ? 'Content-Length: 1000\r\n\r\n{' : 'X-A: '}`,
      );
      return socket;
    });
    const open = () =>
      sockets.filter((socket) => !socket.destroyed && !socket.readableEnded && !answered.has(socket));
    for (
      const until = Date.now() + CUT_WITHIN_MS;
      open().length > 0 && Date.now() < until;
      await sleep(1_000)
    )
      for (const socket of open()) socket.write(' ');
    const left = open();
    for (const socket of sockets) socket.destroy();
    return {
      tried: sockets.length,
      through:
        left.length === 0 ? [] : [`${left.length} requests were held open for ${CUT_WITHIN_MS / 1_000} s`],
    };
  },
};

/** Password guesses from many addresses, some of which claim to be the owner's. */
export const guesses: Attack = {
  name: 'floods of sign-ins',
  async run({ demo }) {
    const through: string[] = [];
    let tried = 0;
    const owner = userOf(demo, 'superadmin');
    const until = Date.now() + FLOOD_MS;
    await each([...Array(40).keys()], 40, async (index) => {
      const door = index % 2 === 0 ? 'proxy' : 'node';
      const caller = callerFrom(hostile(2_000 + index), door);
      for (; Date.now() < until; await sleep(PAUSE_MS)) {
        tried += 1;
        const { code, text } = await caller.ask({
          path: '/v1.0/user/login',
          body: { userName: owner.account, password: `guess ${tried}`, googleCode: '000000' },
          headers: { 'x-forwarded-for': tried % 3 === 0 ? ADDRESSES.staff : hostile(3_000 + tried) },
        });
        if (code === 200) through.push(`a guess signed in: ${text.slice(0, 100)}`);
      }
      caller.close();
    });
    // From its own address the owner can still sign in. Its code of this half minute may be used already.
    await sleep(31_000);
    const home = callerFrom(ADDRESSES.staff);
    await signIn(owner, home).catch((error: unknown) =>
      through.push(`the owner is locked out: ${String(error)}`),
    );
    home.close();
    return { tried, through };
  },
};

const DOORS = [
  { method: 'GET', path: '/v1.0/pay/abcdefghijklmnopqrstuv' },
  { method: 'GET', path: '/healthz' },
  { method: 'POST', path: '/v1.0/monitor/report' },
  { method: 'POST', path: '/v1.0/gateway/40001/webhook' },
  { method: 'POST', path: '/v1.0/user/getPasswordLink' },
  { method: 'POST', path: '/v1.0/user/getInfo' },
] as const;

/** Anonymous callers at every endpoint that is open to them. */
export const doors: Attack = {
  name: 'floods at the open doors',
  async run() {
    let [tried, limited] = [0, 0];
    const failed: string[] = [];
    const until = Date.now() + FLOOD_MS;
    await each([...Array(24).keys()], 24, async (index) => {
      const door = DOORS[index % DOORS.length]!;
      // Four addresses for each endpoint.
      const caller = callerFrom(hostile(5_000 + index));
      for (; Date.now() < until; await sleep(PAUSE_MS)) {
        const replies = await Promise.all(
          [...Array(4)].map(() => caller.ask({ ...door, headers: { token: `${'x'.repeat(40)}${tried}` } })),
        );
        tried += replies.length;
        limited += replies.filter(({ status }) => status === 429).length;
        failed.push(
          ...replies
            .filter(({ status }) => status >= 500)
            .map(({ status, text }) => `${door.path}: ${status} ${text.slice(0, 80)}`),
        );
      }
      caller.close();
    });
    if (limited === 0) failed.push('nobody was told to come again later');
    return { tried, through: [...new Set(failed)].slice(0, 5) };
  },
};
