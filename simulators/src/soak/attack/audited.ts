import { setTimeout as sleep } from 'node:timers/promises';
import { codeAt } from '@sangam/server/access/google-code.ts';
import { sql } from '@sangam/server/platform/db/database.ts';
import type { Attack, World } from './attack.ts';
import { ADDRESSES, hostile } from './network.ts';
import { userOf } from './people.ts';
import { callerFrom, MERCHANT_API, newOrder, signed, type Reply } from './wire.ts';

/** One attack from a security review, repeated with requests alone. Returns what it achieved. */
type Replay = (world: World) => Promise<(string | undefined)[]>;

const when = (isSo: boolean, what: string) => (isSo ? what : undefined);
/** Reports `what` if the server did it at once, without evidence or a second person. */
const ok = ({ code }: Reply, what: string) => when(code === 200, what);
const RUPEES = 100;
/** How long a code of an authenticator is valid. */
const CODE_MS = 30_000;
/** A link for setting passwords, recognised by its token. */
const LINK = /"[\w-]{43}"|setPasswords#/;

/** An admin requests a new user with a password, signs in with it, approves the request itself, and reads the link. */
const makerAndChecker: Replay = async ({ people: { admin, superadmin } }) => {
  const account = 'puppet1';
  const password = 'Quiet harbour 7';
  const made = await admin!.post('/v1.0/admin/addUser', {
    nickname: account,
    account,
    access: 'customerService',
    password,
  });
  const todo = { id: String(made.data['todoId']), approve: true };
  const stranger = callerFrom(hostile(11));
  const signIn = await stranger.ask({ path: '/v1.0/user/login', body: { userName: account, password } });
  const own = await admin!.post('/v1.0/todo/decide', todo);
  // A second person approves and gets the link, to hand it to the user.
  const agreed = await superadmin!.post('/v1.0/todo/decide', todo);
  if (agreed.code !== 200) throw new Error(`nobody can agree to a new user: ${agreed.text.slice(0, 200)}`);
  const askers = await admin!.post('/v1.0/admin/makePasswordLink', { todoId: todo.id });
  const link = await superadmin!.post('/v1.0/admin/makePasswordLink', { todoId: todo.id });
  stranger.close();
  return [
    when(
      made.text.includes(password) || LINK.test(made.text),
      'the answer to addUser shows a password or a link',
    ),
    ok(signIn, 'a password sent with addUser signs in'),
    ok(own, 'an admin approves its own request for a new user'),
    when(LINK.test(askers.text), 'who asked for a user is shown the link of its passwords'),
    when(!LINK.test(link.text), `the second person is shown no link: ${link.text.slice(0, 200)}`),
  ];
};

/** An admin changes a merchant's secret, sign type and address lists, to create payouts as that merchant. */
const payAsMerchant: Replay = async ({ demo, people: { admin } }) => {
  const [md5, hmac] = ['md5', 'hmac-sha256-v2'].map((type) =>
    demo.merchants.find(({ signType }) => signType === type)!,
  );
  const rotated = await admin!.post('/v1.0/merchant/rotateSecret', { id: hmac!.mchId, overlapMinutes: 0 });
  const weaker = await admin!.post('/v1.0/merchant/update', { id: hmac!.mchId, signType: 'md5' });
  const open = await admin!.post('/v1.0/merchant/updateLimits', {
    id: md5!.mchId,
    callsPerSecond: null,
    payInIps: [],
    payoutIps: ['0.0.0.0/0'],
    consoleIps: [],
  });
  const caller = callerFrom(hostile(12));
  const { create } = MERCHANT_API;
  const payout = await caller.ask({ path: create, body: signed(md5!, create, payoutFields(1)) });
  caller.close();
  return [
    when(/[0-9A-F]{32}/.test(rotated.text), "an admin is shown a merchant's new secret"),
    ok(rotated, "an admin alone voids a merchant's secret"),
    ok(weaker, 'an admin alone weakens a sign type'),
    ok(open, 'an admin alone opens a list of addresses'),
    ok(payout, 'a payout signed by MD5 comes from an address of no list'),
  ];
};

const payoutFields = (index: number) =>
  newOrder({
    productId: '2001',
    amount: String(3_000 * RUPEES),
    userName: `PAYEE ${index}`,
    cardNumber: `50107700${String(1_000 + index)}`,
    ifscCode: 'HDFC0000521',
    bankName: 'HDFC Bank',
  });

/**
 * Customer service confirms payouts that a friend has claimed, with invented UTRs, each below the amount that needs a second
 * person.
 */
const bareClaims: Replay = async ({ demo, node, people: { service, supplier1, supplier2 } }) => {
  const merchant = demo.merchants.find(({ signType }) => signType === 'hmac-sha256-v2')!;
  const caller = callerFrom(ADDRESSES.merchant);
  const codes: string[] = [];
  for (let index = 0; index < 18; index += 1) {
    const reply = await caller.ask({
      path: MERCHANT_API.create,
      body: signed(merchant, MERCHANT_API.create, payoutFields(index)),
    });
    if (reply.code !== 200)
      throw new Error(`a payout for the attack was refused: ${reply.text.slice(0, 300)}`);
    codes.push(String(reply.data['orderCode']));
  }
  let confirmed = 0;
  for (const [index, orderCode] of codes.entries()) {
    const friend = index % 2 === 0 ? supplier1! : supplier2!;
    const claimed = await friend.post(`/v1.0/payoutOrderClaim/claimOrder?orderId=${orderCode}`, {});
    if (claimed.code !== 200)
      throw new Error(`a claim for the attack was refused: ${claimed.text.slice(0, 300)}`);
    const utr = String(632_500_000_000 + index);
    const answer = await service!.post('/v1.0/payoutOrder/confirmPaid', { orderCode, utr });
    if (answer.code === 200) confirmed += 3_000 * RUPEES;
  }
  let supplemented = 0;
  for (let index = 0; index < 10; index += 1) {
    const made = await caller.ask({
      path: MERCHANT_API.create,
      body: signed(merchant, MERCHANT_API.create, newOrder({ amount: String(4_000 * RUPEES) })),
    });
    const answer = await service!.post('/v1.0/order/replenishmentOrder', {
      orderCode: String(made.data['orderCode']),
      isOffsetReplenishmentOrder: true,
      utr: String(632_600_000_000 + index),
    });
    if (answer.code === 200) supplemented += 4_000 * RUPEES;
  }
  caller.close();
  const [row] = await node.owner.query<{ limit: number | null }>(
    sql`select (value ->> 'INR')::bigint::float8 as limit from settings where name = 'UnprovenDayLimit'`,
  );
  const limit = row?.limit ?? 20_000 * RUPEES;
  const moved = confirmed + supplemented;
  return [
    when(moved > limit, `customer service moved ${moved} without evidence, above the limit ${limit}`),
    when(moved === 0, 'nothing could be confirmed below the limit: the replay proves nothing'),
  ];
};

/** Staff with read-only roles look for unmasked payees, in every list and export they may see. */
const payeesOfReaders: Replay = async ({ node, people: { support, maintenance } }) => {
  const rows = await node.owner.query<{ value: string }>(sql`
    select distinct value from payout_orders, unnest(array[payee_account, payee_vpa, payee_name]) value
    where length(value) >= 9`);
  const found: string[] = [];
  for (const reader of [support!, maintenance!])
    for (const [path, query] of [
      ['/v1.0/payoutOrder/getList', { pageSize: '500' }],
      ['/v1.0/order/getList', { pageSize: '500' }],
      ['/v1.0/orderCallBack/getList', { pageSize: '500' }],
      ['/v1.0/payScript/getCallList', { pageSize: '500' }],
      ['/v1.0/list/export', { list: '/v1.0/payoutOrder/getList' }],
      ['/v1.0/search', { text: rows[0]!.value }],
    ] as const) {
      const { text } = await reader.get(path, query);
      // An answer may repeat the text that was searched for.
      const seen = rows.find(
        ({ value }) => text.includes(value) && !Object.values(query).includes(value as never),
      );
      if (seen) found.push(`${reader.user.account} reads a payee in ${path}`);
    }
  return found;
};

/** A caller claims another address, and a stolen token is used without its cookie. */
const borrowedNames: Replay = async ({ demo, people: { superadmin } }) => {
  const direct = callerFrom(hostile(13), 'node');
  const through = callerFrom(hostile(14));
  const user = userOf(demo, 'merchant4');
  const forged = {
    'x-forwarded-for': ADDRESSES.staff,
    'x-real-ip': ADDRESSES.staff,
    forwarded: `for=${ADDRESSES.staff}`,
  };
  for (const caller of [direct, through])
    await caller.ask({
      path: '/v1.0/user/login',
      body: { userName: 'merchant3', password: 'x' },
      headers: forged,
    });
  const seen = await superadmin!.get('/v1.0/audit/getList', { action: 'user.signInRefused', pageSize: '50' });
  const browser = { 'sec-fetch-site': 'same-origin', 'user-agent': 'Mozilla/5.0' };
  // A code works only once, and this user may have signed in within this half minute.
  await sleep(CODE_MS - (Date.now() % CODE_MS) + 100);
  const entered = await through.ask({
    path: '/v1.0/user/login',
    body: {
      userName: user.account,
      password: user.password,
      googleCode: codeAt(user.googleSecret, new Date()),
    },
    headers: browser,
  });
  const cookie = String(entered.headers['set-cookie'] ?? '');
  const token = String(entered.data['token']);
  const bare = await through.ask({ path: '/v1.0/user/getInfo', headers: { ...browser, token } });
  for (const caller of [direct, through]) caller.close();
  const failures = (seen.data['list'] as readonly Readonly<Record<string, unknown>>[]).filter((line) =>
    JSON.stringify(line).includes('merchant3'),
  );
  return [
    when(failures.length < 2, 'refused sign-ins stand in no audit: the replay proves nothing'),
    when(
      failures.some((line) => JSON.stringify(line).includes(ADDRESSES.staff)),
      'a caller says which address it has',
    ),
    when(
      !/__Host-/.test(cookie) || !/; *Secure/i.test(cookie),
      `the cookie of a session is not bound: ${cookie}`,
    ),
    ok(bare, "a browser's token works without its cookie"),
  ];
};

/** A supplier claims payouts to read their payees, and gives them back. */
const harvest: Replay = async ({ demo, people: { supplier3 }, node }) => {
  const merchant = demo.merchants.find(({ signType }) => signType === 'hmac-sha256-v2')!;
  const caller = callerFrom(ADDRESSES.merchant);
  const { create } = MERCHANT_API;
  for (let index = 100; index < 105; index += 1)
    await caller.ask({ path: create, body: signed(merchant, create, payoutFields(index)) });
  caller.close();
  const waiting = await node.owner.query<{ id: bigint }>(
    sql`select id from payout_orders where status = 0 and supplier_id is null order by id desc limit 5`,
  );
  let read = 0;
  for (let round = 0; round < 60 && waiting.length > 0; round += 1) {
    const orderId = String(waiting[round % waiting.length]!.id);
    const claimed = await supplier3!.post(`/v1.0/payoutOrderClaim/claimOrder?orderId=${orderId}`, {});
    if (claimed.code !== 200) continue;
    read += 1;
    await supplier3!.post(`/v1.0/payoutOrderClaim/cancelClaim?orderId=${orderId}`, {});
  }
  return [
    when(read > 20, `a supplier read ${read} payees and gave them back`),
    when(read === 0, 'no payout could be claimed: the replay proves nothing'),
  ];
};

/** Somebody with write access to the database copies one merchant's sealed secret to another's row. */
const swappedSecrets: Replay = async ({ demo, node }) => {
  const own = demo.merchants.find(({ signType }) => signType === 'hmac-sha256-v2');
  const other = demo.merchants.find(({ signType }) => signType === 'md5');
  const ids = [own!.mchId, other!.mchId];
  const swap = sql`
    update merchants m set secret = o.secret from merchants o
    where m.id = any(${ids}::bigint[]) and o.id = any(${ids}::bigint[]) and o.id <> m.id`;
  await node.owner.query(swap);
  const caller = callerFrom(hostile(15));
  const { create } = MERCHANT_API;
  const taken = await caller.ask({
    path: create,
    body: signed({ ...other!, secret: own!.secret }, create, newOrder()),
  });
  await node.owner.query(swap);
  caller.close();
  return [ok(taken, "a merchant's secret works for another")];
};

/** Common passwords, the API document of staff calls, and a demo node on a production database. */
const doorsLeftOpen: Replay = async ({ demo, node, people: { merchant2 } }) => {
  const user = userOf(demo, 'merchant2');
  const weak = await merchant2!.post('/v1.0/user/changeOwnPassword', {
    oldPassword: user.password,
    password: 'password1',
    newPassword: 'password1',
  });
  const caller = callerFrom(hostile(16));
  const pages = await Promise.all(
    ['/docs/openapi.json', '/docs', '/v1.0/docs/getDocument'].map((path) =>
      caller.ask({ method: 'GET', path }),
    ),
  );
  const anonymous = await caller.ask({ path: '/v1.0/user/getInfo' });
  caller.close();
  const code = await node.refusedStart({ DEMO: '1' });
  return [
    ok(weak, 'password1 is a password'),
    when(
      pages.some(({ text }) => text.includes('/v1.0/admin/')),
      "the API document of staff's calls is public",
    ),
    ok(anonymous, 'a call without a session is answered'),
    when(code === 0, 'a demo starts on the database of a production'),
  ];
};

/** A picture that claims to be enormous, and a bank statement of the largest allowed size. */
const heavyFiles: Replay = async ({ people: { supplier1, admin } }) => {
  const { data } = await supplier1!.get('/v1.0/resource/getList', { pageSize: '1' });
  const { id } = (data['list'] as readonly { readonly id: string }[])[0]!;
  const bomb = Buffer.alloc(60_000);
  bomb.write('89504e470d0a1a0a0000000d4948445200007530000075300806000000', 0, 'hex');
  const pictures = await Promise.all(
    [...Array(6)].map(() =>
      supplier1!.post('/v1.0/resource/uploadQrCode', { id, picture: bomb.toString('base64') }),
    ),
  );
  const lines = [...Array(12_000).keys()].map(
    (line) => `01-05-2026,UPI,${632_700_000_000 + line},,${line + 1},1`,
  );
  const content = Buffer.from(`Date,Description,Ref No,Debit,Credit,Balance\n${lines.join('\n')}\n`).toString(
    'base64',
  );
  const statements = await Promise.all(
    [...Array(3)].map(() =>
      admin!.post('/v1.0/bankStatement/import', { resourceId: id, file: { fileName: 'long.csv', content } }),
    ),
  );
  return [
    ...pictures.map((reply) => ok(reply, 'a picture that is none is taken')),
    ...[...pictures, ...statements].map(({ status, text }) =>
      when(status >= 500, `a file fails the node: ${text.slice(0, 120)}`),
    ),
  ];
};

const REPLAYS = {
  makerAndChecker,
  payAsMerchant,
  bareClaims,
  payeesOfReaders,
  borrowedNames,
  harvest,
  swappedSecrets,
  doorsLeftOpen,
  heavyFiles,
} satisfies Readonly<Record<string, Replay>>;

export const audited: Attack = {
  name: "the audit's attacks",
  async run(world) {
    const results: (string | undefined)[] = [];
    for (const [name, replay] of Object.entries(REPLAYS))
      results.push(
        ...(await replay(world).catch((error: unknown) => [
          `${name} could not be replayed: ${String(error)}`,
        ])),
      );
    return { tried: results.length, through: results.filter((result) => result !== undefined) };
  },
};
