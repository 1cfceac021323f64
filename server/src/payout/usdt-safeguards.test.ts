import { formatMinor } from '@sangam/contract/money.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { anyTronAddress } from '@sangam/simulators/tron/node.ts';
import { expect, test } from 'vitest';
import { transfersSentLast } from '../accounts/payers.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide, withdraw } from '../approvals/decide.ts';
import { createSignerClient } from '../channels/usdt/signer-client.ts';
import { HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { setFrozen } from '../orders/holds/set-hold.ts';
import { usdtWallets } from '../inbound/usdt-wallets.ts';
import { USDT, usdtWorld } from '../testing/usdt-world.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { askAboutEnded } from './ask-gateways.ts';
import type { PayoutOrder } from './order.ts';
import { reject } from './reject.ts';
import { releasePayout } from './release.ts';
import { reselectPayout } from './reselect.ts';

const { waiting, completed, processingError, rejected, toBeConfirmed } = PAYOUT_STATUS;
const usdt = usdtWorld();
const { order, read, statusOf, dispatch, desk, paidTo, ask } = usdt;

/** A payout that was paid, and called failed: the node that keeps the receipts lags far behind the one that names blocks. */
async function wronglyDead() {
  const made = await order();
  await dispatch();
  usdt.chain.receipt = {};
  await ask(4 * MINUTE);
  // A node a quarter of an hour behind proves nothing.
  await ask(15 * MINUTE);
  expect(await statusOf(made)).toBe(toBeConfirmed);
  await ask(15 * MINUTE);
  expect(await statusOf(made)).toBe(processingError);
  await usdt.signer.running.signing.settle();
  return made;
}
const contradictions = async ({ id }: PayoutOrder) =>
  (
    await usdt.world.platform.db.query<{ data: unknown }>(
      sql`select data from order_events where order_id = ${id} and kind = 'contradicted' order by id`,
    )
  ).map(({ data }) => data);

const reasonsOf = async ({ id }: PayoutOrder) =>
  (
    await usdt.world.platform.db.query<{ reason: string | null }>(
      sql`select reason from order_events where order_id = ${id}`,
    )
  ).map(({ reason }) => reason);
const noticesOf = async ({ id }: PayoutOrder) =>
  (
    await usdt.world.platform.db.query<{ data: unknown }>(sql`
      select distinct data from inbox_messages where kind in ('gatewayPaidOtherwise', 'gatewaySaysPaid') and data->>'order' = ${String(id)}`)
  ).map(({ data }) => data);

async function twoAdmins(): Promise<[Viewer, Viewer]> {
  const viewers = await Promise.all(
    ['one', 'two'].map(async () => {
      const { id: userId } = await makeUser(usdt.world.platform, { role: 'admin' });
      return viewerOf(usdt.world.platform, { role: 'admin', userId });
    }),
  );
  return viewers as [Viewer, Viewer];
}

async function unfreezeByTwo({ id }: PayoutOrder, one: Viewer, two: Viewer): Promise<void> {
  const hold = { subjectKind: 'order', subjectId: String(id), frozen: false, reason: 'seen' } as const;
  const asked = await setFrozen(usdt.world.platform, one, hold);
  expect(asked).toMatchObject({ code: 'approvalNeeded' });
  const todoId = BigInt((asked as { data: { todoId: string } }).data.todoId);
  const decision = { id: todoId, approve: true };
  expect(await decide(usdt.world.platform, APPROVAL_HANDLERS, two, decision)).toMatchObject({
    status: 'approved',
  });
}

test('a transfer that was taken for dead and refunded is asked about, and its payment is seen', async () => {
  const made = await wronglyDead();
  await reject(usdt.world.platform, desk(), { orderId: made.id, reason: 'dead' });
  usdt.chain.receipt = undefined;
  usdt.world.clock.advance(6 * HOUR);
  await askAboutEnded(usdt.world.platform, usdt.channels);
  expect(await contradictions(made)).toMatchObject([{ said: 'processed', attempt: 1 }]);
});

test('a transfer that was taken for dead is looked for again before another is signed', async () => {
  const made = await wronglyDead();
  usdt.chain.receipt = undefined;
  await reselectPayout(usdt.world.platform, desk(), made.id);
  await dispatch();
  await ask(2 * MINUTE);
  expect(await read(made)).toMatchObject({ status: completed, attempt: 2 });
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
  usdt.world.clock.advance(6 * HOUR);
  await askAboutEnded(usdt.world.platform, usdt.channels);
  expect(await contradictions(made)).toEqual([]);
});

test('a payout that was paid twice, because its first transfer was taken for dead, is reported', async () => {
  const made = await wronglyDead();
  await reselectPayout(usdt.world.platform, desk(), made.id);
  await dispatch();
  usdt.chain.receipt = undefined;
  await ask(2 * MINUTE);
  expect(await read(made)).toMatchObject({ status: completed, attempt: 2 });
  usdt.world.clock.advance(6 * HOUR);
  await askAboutEnded(usdt.world.platform, usdt.channels);
  const [first] = paidTo(made.payeeAddress);
  expect(await contradictions(made)).toEqual([{ said: 'processed', attempt: 1, utr: first!.txid }]);
});

test.each([
  ['sum', { amount: '1000000' }],
  ['address', { to: anyTronAddress('another payee') }],
] as const)(
  'what the signer has signed of another %s, for a platform that was restored since, completes nothing: two people look, and one refunds it',
  async (_, signed) => {
    const made = await order();
    const { id, amount, payeeAddress: to } = made;
    const client = createSignerClient(usdt.world.platform.config.signer!, usdt.world.clock);
    const own = {
      key: String(id),
      payout: String(id),
      from: usdt.signer.address,
      to,
      amount: String(amount),
    };
    const earlier = { ...own, ...signed };
    expect(await client.ask('/sign', earlier)).toMatchObject({ state: 'signed' });
    await dispatch();
    expect(await read({ id })).toMatchObject({ status: toBeConfirmed });
    await ask();
    // The chain has not said how the transfer ended.
    expect(await read({ id })).toMatchObject({ status: toBeConfirmed, frozen: false });
    await ask(2 * MINUTE);
    const [paid] = paidTo(earlier.to);
    expect(paid).toMatchObject({ value: BigInt(earlier.amount) });
    const now = { status: processingError, frozen: true };
    expect(await read({ id })).toMatchObject(now);
    const said = { utr: paid!.txid, amount: earlier.amount, address: earlier.to };
    expect(await contradictions(made)).toEqual([{ said: 'processed', attempt: 1, ...said }]);
    expect(await noticesOf(made)).toMatchObject([{ utr: paid!.txid, address: earlier.to }]);
    const reason = `${paid!.txid} paid ${formatMinor(BigInt(earlier.amount), 'USDT')} USDT to ${earlier.to}, not what was ordered`;
    expect(await reasonsOf(made)).toContain(reason);

    const [one, two] = await twoAdmins();
    const refuseIt = () => reject(usdt.world.platform, one, { orderId: id, reason: 'paid otherwise' });
    expect(await refuseIt()).toMatchObject({ code: 'actionNotAllowed' });
    await unfreezeByTwo(made, one, two);
    // The signer signs nothing else for this payout, so to send it anew pays nobody.
    await reselectPayout(usdt.world.platform, one, id);
    await dispatch();
    await ask(2 * MINUTE);
    expect(await read({ id })).toMatchObject({ ...now, attempt: 2 });
    expect([...paidTo(to), ...(earlier.to === to ? [] : paidTo(earlier.to))]).toHaveLength(1);
    await unfreezeByTwo(made, one, two);
    expect(await refuseIt()).toMatchObject({ status: rejected });
    usdt.world.clock.advance(6 * HOUR);
    await askAboutEnded(usdt.world.platform, usdt.channels);
    // Each send is told of once.
    expect(await contradictions(made)).toHaveLength(2);
  },
);

test('the last transfers of a wallet are those sent last, however old their payouts are', async () => {
  const oldest = await order(USDT);
  usdt.chain.wallets.faults.push('outOfEnergy');
  await dispatch();
  await ask(2 * MINUTE);
  for (let n = 0; n < 20; n += 1) await order(USDT);
  while ((await dispatch()) > 0);
  usdt.world.clock.advance(MINUTE);
  await reselectPayout(usdt.world.platform, desk(), oldest.id);
  await dispatch();
  const { gatewayRef } = await read(oldest);
  expect((await transfersSentLast(usdt.world.platform.db, usdt.wallet))[0]).toBe(gatewayRef);
  await ask(2 * MINUTE);
});

/** A payout that passes the signer's limits, and two admins who are releasers of the usdt.signer. */
async function toRelease() {
  const made = await order(2_000n * USDT);
  await dispatch();
  expect(await statusOf(made)).toBe(processingError);
  const [anita, bhaskar] = await Promise.all(
    ['anita', 'bhaskar'].map(async (name) => {
      const { id: userId } = await makeUser(usdt.world.platform, { role: 'admin' });
      return { ...viewerOf(usdt.world.platform, { role: 'admin', userId }), account: name };
    }),
  );
  /** Asks to release it; answers the request's id, or why there is none. */
  const request = async (
    viewer: Viewer,
    code = usdt.signer.codeOf(viewer.account),
  ): Promise<{ readonly id?: bigint; readonly refused?: string }> => {
    const answer = await releasePayout(usdt.world.platform, viewer, { orderId: made.id, code });
    const { todoId, reason } = (answer.data ?? {}) as { readonly todoId?: string; readonly reason?: string };
    return todoId === undefined ? { refused: reason ?? answer.code } : { id: BigInt(todoId) };
  };
  const approve = (viewer: Viewer, id: bigint | undefined, code?: string) =>
    decide(usdt.world.platform, APPROVAL_HANDLERS, viewer, { id: id!, approve: true, code });
  return { made, anita: anita!, bhaskar: bhaskar!, request, approve };
}

test('what passes a limit is sent once two people have shown the signer a code each, through a request and its approval', async () => {
  const { made, anita, bhaskar, request, approve } = await toRelease();
  expect(await request(anita, '000000')).toEqual({ refused: 'releaseCodeWrong' });
  const { id } = await request(anita);
  expect(await approve(bhaskar, id)).toMatchObject({ code: 'releaseCodeWrong' });
  expect(await approve(bhaskar, id, usdt.signer.codeOf('anita'))).toMatchObject({ code: 'releaseCodeWrong' });
  // Reselected without the second code, the payout is refused as before.
  await reselectPayout(usdt.world.platform, desk(), made.id);
  await dispatch();
  expect(await statusOf(made)).toBe(processingError);
  expect(await approve(bhaskar, id, usdt.signer.codeOf('bhaskar'))).toMatchObject({ status: 'approved' });
  expect(await statusOf(made)).toBe(waiting);
  await dispatch();
  await ask(2 * MINUTE);
  expect(await statusOf(made)).toBe(completed);
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
  expect((await usdtWallets(usdt.world.platform)).list).toEqual([
    expect.objectContaining({ state: 'ready', releasedToday: 2_000_000_000, usedToday: 0 }),
  ]);
});

test('a first code serves its own request alone: once that is taken back, the next releaser is a first again', async () => {
  const { made, anita, bhaskar, request, approve } = await toRelease();
  const { id } = await request(anita);
  // While it waits, it is decided: nobody passes it by with a request of their own.
  expect(await request(bhaskar)).toEqual({ refused: 'otherRequestWaits' });
  await withdraw(usdt.world.platform, anita, id!);
  usdt.world.clock.advance(MINUTE);
  const { id: another } = await request(bhaskar);
  await reselectPayout(usdt.world.platform, bhaskar, made.id);
  await dispatch();
  await ask(2 * MINUTE);
  expect(await statusOf(made)).toBe(processingError);
  expect(paidTo(made.payeeAddress)).toEqual([]);
  usdt.world.clock.advance(MINUTE);
  expect(await approve(anita, another, usdt.signer.codeOf('anita'))).toMatchObject({ status: 'approved' });
  await dispatch();
  await ask(2 * MINUTE);
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
});
