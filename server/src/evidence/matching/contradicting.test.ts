import { describe, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { readOrder } from '../../collection/read.ts';
import { reselect } from '../../collection/reselect.ts';
import { sql } from '../../platform/db/database.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, makeShop, newReference, withoutReference } from '../../testing/payments.ts';
import type { ReportedMessage } from './message.ts';
import { settleOutside } from '../lost/settle-outside.ts';
import { supplement } from './supplement.ts';

/** Stored credits, and money settled outside, that contradict what the desk says. */

const here = eachShop();

const AMOUNT = 550_00n;
const toldOf = async ({ id }: { id: bigint }) =>
  (
    await here.world.platform.db.query<{ kind: string }>(
      sql`select kind from inbox_messages where user_id = ${here.admin.userId} and data->>'order' = ${String(id)} order by id`,
    )
  ).map(({ kind }) => kind);
const say = ({ id: orderId }: CollectionOrder, utr: string, viewer = here.boss) =>
  supplement(here.world.platform, viewer, { orderId, utr, offset: false });
const statusOf = async ({ id }: { id: bigint }) => (await readOrder(here.world.platform.db, id))!.status;

const agree = (id: bigint) =>
  decide(here.world.platform, APPROVAL_HANDLERS, here.admin, { id, approve: true });
describe('a credit that came before the desk named its UTR, and contradicts what the desk says', () => {
  const CONTRADICTS = { state: 'ambiguous', reason: 'contradictsBooked' };
  test('an order that went to another account, whose payer paid the first one', async () => {
    const first = here.shop;
    const order = await here.calls.order(AMOUNT);
    const other = await makeShop(here.world.platform);
    here.shop = other;
    await here.calls.report();
    here.shop = first;
    const moved = await reselect(here.world.platform, here.boss, order.id);
    expect(moved).toMatchObject({ accountId: other.accountId });
    const utr = newReference();
    const its = creditSms(here.world.platform, first, AMOUNT, { reference: utr });
    expect(await here.calls.report(its)).toEqual(['unmatched']);
    expect(await say(order, utr)).toMatchObject({ status: 6 });
    expect(await toldOf(order)).toEqual(['bookedOtherwise']);
    expect(await here.calls.stored(its)).toMatchObject(CONTRADICTS);
  });
  test('an offset, though the money is on the account of the order', async () => {
    const utr = newReference();
    const its = creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr });
    expect(await here.calls.report(its)).toEqual(['unmatched']);
    const order = await here.calls.order(AMOUNT);
    await supplement(here.world.platform, here.boss, { orderId: order.id, utr, offset: true });
    expect(await statusOf(order)).toBe(6);
    expect(await toldOf(order)).toEqual(['bookedOtherwise']);
    expect(await here.calls.stored(its)).toMatchObject(CONTRADICTS);
  });
  test('two credits of the UTR, with different sums', async () => {
    const utr = newReference();
    const [one, two] = [AMOUNT, AMOUNT + 100n].map((sum) =>
      creditSms(here.world.platform, here.shop, sum, { reference: utr }),
    );
    await here.calls.report(one!);
    await here.calls.report(two!);
    const order = await here.calls.order(AMOUNT);
    expect(await say(order, utr)).toMatchObject({ status: 6 });
    expect(await toldOf(order)).toContain('bookedOtherwise');
  });
});

describe('money that two people settled outside', () => {
  async function settle(message: ReportedMessage): Promise<void> {
    const { id: messageId } = await here.calls.stored(message);
    const asked = await settleOutside(here.world.platform, here.desk, {
      messageId,
      reason: 'refunded by hand',
    });
    await agree(BigInt((asked as unknown as { data: { todoId: string } }).data.todoId));
    expect(await here.calls.stored(message)).toMatchObject({ state: 'settledOutside' });
  }
  test('its wording with the UTR is not joined to an order that the desk completed by it', async () => {
    const utr = newReference();
    const its = creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr });
    const bare = { ...withoutReference(its), messageId: `${its.messageId}-bare` };
    expect(await here.calls.report(bare)).toEqual(['unmatched']);
    await settle(bare);
    const order = await here.calls.order(AMOUNT);
    await say(order, utr);
    expect(await statusOf(order)).toBe(6);
    expect(await here.calls.report(its)).toEqual(['ambiguous']);
    expect(await toldOf(order)).toEqual(['bookedOtherwise']);
  });
  test.each(['another sum', 'another account'])(
    'a credit of its UTR, but of %s, is no repeat',
    async (which) => {
      const utr = newReference();
      const its = creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr });
      expect(await here.calls.report(its)).toEqual(['unmatched']);
      await settle(its);
      if (which === 'another account') here.shop = await makeShop(here.world.platform);
      const sum = which === 'another sum' ? 777_00n : AMOUNT;
      expect(
        await here.calls.report(creditSms(here.world.platform, here.shop, sum, { reference: utr })),
      ).toEqual(['ambiguous']);
    },
  );
});
