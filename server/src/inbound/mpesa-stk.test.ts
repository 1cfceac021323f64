import { freezeIp } from '@sangam/contract/endpoints/ip-analysis.ts';
import { payerStk } from '@sangam/contract/endpoints/outside.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SimulatedDaraja, startDaraja } from '@sangam/simulators/mpesa/daraja-node.ts';
import { createDaraja, type Daraja } from '../channels/mpesa/daraja.ts';
import { DAY, SECOND } from '../platform/clock.ts';
import { cancelByMerchant } from '../collection/cancel.ts';
import { createOrders } from '../collection/create.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { reselect } from '../collection/reselect.ts';
import { readOrders } from '../collection/store.ts';
import { type Database, sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { ask } from '../testing/ask.ts';
import { brokenChecks } from '../testing/books.ts';
import { post } from '../testing/call.ts';
import { makeMpesaAccount, MPESA_KEYS } from '../testing/mpesa.ts';
import { newOrder } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeSupplier, makeUser, topUpDeposit, viewerOf } from '../testing/world.ts';
import { stkAddress } from '../channels/mpesa/paths.ts';
import { askStk, pushStk } from './mpesa-stk.ts';
import { watchMpesa } from './mpesa-watch.ts';

const MPESA_IN = 1060;
const PHONE = '254712345670';

let world: TestPlatform;
let app: FastifyInstance;
let node: SimulatedDaraja;
let daraja: Daraja;
let merchantId: bigint;
/** The paybills of two suppliers. */
let ours: Side;
let theirs: Side;
/** What M-Pesa sends to these addresses of ours does not reach us. */
let deafTo: RegExp | undefined;
let clerkId: bigint;

interface Side {
  readonly supplierId: bigint;
  readonly accountId: bigint;
}

beforeAll(async () => {
  node = await startDaraja({
    ...MPESA_KEYS,
    now: () => world.clock.now().getTime(),
    deliver: async (url, body) => {
      if (deafTo?.test(url)) return { status: 503, body: {} };
      const answer = await app.inject({ method: 'POST', url: new URL(url).pathname, payload: body });
      return { status: answer.statusCode, body: answer.json<unknown>() };
    },
  });
  world = await createTestPlatform({ darajaUrl: node.url });
  app = await world.app();
  daraja = createDaraja({ url: node.url, clock: world.clock });
  ({ merchantId } = await makeMerchant(world.platform, { products: [MPESA_IN] }));
  ({ id: clerkId } = await makeUser(world.platform, { role: 'customerService' }));
  [ours, theirs] = [await side('522533'), await side('522599')];
});
afterAll(async () => {
  await node.stop();
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

async function side(shortCode: string): Promise<Side> {
  const { supplierId } = await makeSupplier(world.platform, { products: [MPESA_IN], deposit: 0n });
  await topUpDeposit(world.platform, supplierId, 'KES', 10n ** 10n);
  const account = { supplierId, shortCode, type: 'paybill', direction: 'in' } as const;
  return { supplierId, accountId: await makeMpesaAccount(world.platform, account) };
}

async function openOnly(accountId: bigint): Promise<void> {
  await world.platform.db.query(sql`
    update resources set state = case when account_id = ${accountId} then 0 else 1 end where product_id = ${MPESA_IN}`);
}

/** An order that waits on our account. */
async function order(amount: bigint): Promise<CollectionOrder> {
  await openOnly(ours.accountId);
  world.clock.advance(30 * SECOND);
  await watchMpesa(world.platform, daraja);
  const [made] = await createOrders(world.platform, [newOrder(merchantId, { productId: MPESA_IN, amount })]);
  if (!made || isRefusal(made)) throw new Error(`refused: ${JSON.stringify(made)}`);
  return made;
}
async function reassign({ id }: CollectionOrder): Promise<void> {
  await openOnly(theirs.accountId);
  const { id: userId } = await makeUser(world.platform, { role: 'admin' });
  const moved = await reselect(world.platform, viewerOf(world.platform, { role: 'admin', userId }), id);
  expect(moved).toMatchObject({ status: 1, accountId: theirs.accountId });
}
const read = async ({ id }: CollectionOrder) => (await readOrders(world.platform.db, [id]))[0]!;
const push = ({ id }: CollectionOrder, by: Daraja = daraja) =>
  pushStk(world.platform, by, { token: world.platform.vault.payToken(id), phone: PHONE });
const credits = ({ identifyCode }: CollectionOrder) =>
  world.platform.db.query<{ accountId: bigint; state: string }>(sql`
    select account_id as "accountId", state from messages where text like ${`%${identifyCode}%`} order by id`);
async function codes({ id }: CollectionOrder): Promise<(number | null)[]> {
  const rows = await world.platform.db.query<{ code: number | null }>(sql`
    select result_code as code from stk_pushes where order_id = ${id} order by asked_at`);
  return rows.map(({ code }) => code);
}
/** Lets M-Pesa send what is due while these addresses of ours do not receive it. */
async function reportUnreachable(to: RegExp): Promise<void> {
  deafTo = to;
  await node.tell();
  deafTo = undefined;
}
const notices = ({ id }: CollectionOrder) =>
  world.platform.db.query(sql`
    select kind, data from inbox_messages where user_id = ${clerkId} and data ->> 'order' = ${String(id)}`);
async function deposit({ supplierId }: Side): Promise<bigint> {
  const [row] = await world.platform.db.query<{ balance: bigint }>(sql`
    select balance from ledger_accounts
    where owner_kind = 'supplier' and owner_id = ${supplierId} and bucket = 'deposit' and currency = 'KES'`);
  return row!.balance;
}

test('a payment on a request belongs to the account of the request, though the order waits on another by now', async () => {
  const made = await order(1_500_00n);
  expect(await push(made)).toEqual({ state: 'asked' });
  await reassign(made);
  const before = await deposit(theirs);
  await node.tell();
  expect(await deposit(theirs)).toBe(before);
  expect((await read(made)).status).toBe(1);
  // The request's result and the confirmation report one payment. It has no order until an operator decides whose it is.
  expect(await credits(made)).toEqual([{ accountId: ours.accountId, state: 'ambiguous' }]);
});

test('a result that arrives before the answer to the request books the same', async () => {
  const made = await order(1_550_00n);
  const late: Daraja = {
    ...daraja,
    async stkPush(access, request) {
      const answer = await daraja.stkPush(access, request);
      await node.tell();
      return answer;
    },
  };
  expect(await push(made, late)).toEqual({ state: 'asked' });
  expect((await read(made)).status).toBe(6);
  expect(await codes(made)).toEqual([0]);
});

/** M-Pesa accepts each request, but its answer is lost. */
function withoutAnswers(): { readonly daraja: Daraja; readonly phones: string[]; readonly asked: string[] } {
  const [phones, asked]: [string[], string[]] = [[], []];
  const cut: Daraja = {
    ...daraja,
    async stkPush(access, request) {
      phones.push(request.phone);
      await daraja.stkPush(access, request);
      throw new Error('no answer came');
    },
    stkResult(access, checkoutId) {
      asked.push(checkoutId);
      return daraja.stkResult(access, checkoutId);
    },
  };
  return { daraja: cut, phones, asked };
}

test('a request whose answer was lost is not sent again while it may be on the phone, and pays the order', async () => {
  const made = await order(1_600_00n);
  const cut = withoutAnswers();
  expect(await push(made, cut.daraja)).toEqual({ state: 'asked' });
  world.clock.advance(2 * SECOND);
  expect(await push(made, cut.daraja)).toMatchObject({ code: 'conflict' });
  expect(cut.phones).toEqual([PHONE]);
  world.clock.advance(80 * SECOND);
  // M-Pesa can only be asked by its own name of a request.
  await askStk(world.platform, cut.daraja);
  expect([cut.asked, await codes(made)]).toEqual([[], [null]]);
  await node.tell();
  expect([(await read(made)).status, await codes(made)]).toEqual([6, [0]]);
});

test('of several requests without a name on several accounts no result books anything: the confirmation does', async () => {
  const made = await order(1_650_00n);
  const cut = withoutAnswers();
  await push(made, cut.daraja);
  await reassign(made);
  world.clock.advance(61 * SECOND);
  await push(made, cut.daraja);
  await node.tell();
  expect((await read(made)).accountId).toBe(theirs.accountId);
  expect(await credits(made)).toEqual([
    { accountId: ours.accountId, state: 'ambiguous' },
    { accountId: theirs.accountId, state: 'matched' },
  ]);
});

test('a request without a result for a day is not asked about any more', async () => {
  const made = await order(1_660_00n);
  await push(made, withoutAnswers().daraja);
  world.clock.advance(DAY);
  await askStk(world.platform, daraja);
  expect(await codes(made)).toEqual([-1]);
  await node.tell();
});

test('when M-Pesa says paid but all its reports were lost, the desk is notified once which order’s money to look for', async () => {
  const made = await order(1_700_00n);
  await push(made);
  await reportUnreachable(/./);
  world.clock.advance(80 * SECOND);
  await askStk(world.platform, daraja);
  await askStk(world.platform, daraja);
  expect([await codes(made), (await read(made)).status]).toEqual([[0], 1]);
  const told = { order: String(made.id), account: 'M-Pesa 522533' };
  expect(await notices(made)).toEqual([{ kind: 'paidUnreported', data: told }]);
});

test('nobody is notified of an order that its confirmation has completed', async () => {
  const made = await order(1_750_00n);
  await push(made);
  await reportUnreachable(/\/stk\//);
  world.clock.advance(80 * SECOND);
  await askStk(world.platform, daraja);
  expect([await codes(made), (await read(made)).status, await notices(made)]).toEqual([[0], 6, []]);
});

test('a result that says paid and names no receipt does not end its request: it is asked about', async () => {
  const made = await order(1_800_00n);
  await push(made);
  await reportUnreachable(/./);
  const [{ id }] = (await world.platform.db.query<{ id: string }>(
    sql`select checkout_id as id from stk_pushes where order_id = ${made.id}`,
  )) as [{ id: string }];
  const answer = await app.inject({
    method: 'POST',
    url: new URL(await stkAddress(world.platform, made.id)).pathname,
    payload: { Body: { stkCallback: { CheckoutRequestID: id, ResultCode: 0, ResultDesc: 'ok' } } },
  });
  expect([answer.statusCode, await codes(made)]).toEqual([200, [null]]);
  world.clock.advance(80 * SECOND);
  await askStk(world.platform, daraja);
  expect([await codes(made), await notices(made)]).toMatchObject([[0], [{ kind: 'paidUnreported' }]]);
});

test('requests that M-Pesa cannot be asked about do not keep others from being asked about', async () => {
  const made = [await order(1_850_00n), await order(1_860_00n)];
  for (const each of made) await push(each);
  await reportUnreachable(/./);
  world.clock.advance(80 * SECOND);
  const [stuck] = await world.platform.db.query<{ id: string }>(
    sql`select checkout_id as id from stk_pushes where order_id = ${made[0]!.id}`,
  );
  await askStk(world.platform, {
    ...daraja,
    stkResult: (access, id) =>
      id === stuck!.id ? Promise.reject(new Error('its keys')) : daraja.stkResult(access, id),
  });
  expect([await codes(made[0]!), await codes(made[1]!)]).toEqual([[null], [0]]);
});

test('a phone is not asked to pay an order that ended after the first look at it', async () => {
  const { platform } = world;
  const made = await order(1_700_00n);
  let isEnded = false;
  const tx: Database['tx'] = async (work) => {
    if (!isEnded) {
      isEnded = true;
      await cancelByMerchant(platform, { id: merchantId, ip: '10.0.0.1' }, made.id);
    }
    return platform.db.tx(work);
  };
  const slow = { ...platform, db: { ...platform.db, tx } };
  const asked = await pushStk(slow, daraja, { token: platform.vault.payToken(made.id), phone: PHONE });
  expect(asked).toMatchObject({ code: 'actionNotAllowed' });
  expect(await codes(made)).toEqual([]);
});

test('no phone is asked to pay for a payer at a frozen address', async () => {
  const { platform } = world;
  const { id } = await order(1_700_00n);
  const path = payerStk.path.replace(':token', platform.vault.payToken(id));
  const asked = async (ip: string) =>
    (await post(app, path, { phone: PHONE }, { 'x-forwarded-for': ip })).code;
  const admin = viewerOf(platform, { role: 'admin', userId: clerkId });
  await ask(platform, admin, freezeIp, { ipAddress: '192.0.2.9', reason: 'floods' });
  expect(await asked('192.0.2.9')).toBe(1107);
  expect(await asked('192.0.2.10')).toBe(200);
});
