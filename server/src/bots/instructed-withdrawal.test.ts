import { decide, getMine } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteControlChange } from '../access/control-changes.ts';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { balancesIn } from '../testing/books.ts';
import { hear } from '../testing/telegram.ts';
import { ANNA, DESK, makeTransferDesk, type TransferDesk } from '../testing/transfer-desk.ts';

/** Who decides on a withdrawal that a group has asked for is independent of the group's party too. */

let made: TransferDesk;
let platform: Platform;
beforeAll(async () => {
  made = await makeTransferDesk();
  ({ platform } = made);
});
afterAll(() => made.stop());

const deposit = async () => (await balancesIn(platform, 'supplier', made.supplierId))['deposit'];

test('whoever could act as the party does not decide on the withdrawal that its group asked for', async () => {
  const [honest, maker] = [await made.person('admin'), await made.person('admin')];
  const [owner] = await platform.db.query<{ id: bigint }>(
    sql`select user_id as id from suppliers where id = ${made.supplierId}`,
  );
  await platform.db.tx((tx) =>
    noteControlChange(platform, tx, { userId: owner!.id, by: maker.userId, change: 'link' }),
  );
  made.node.clock.advance(2 * DAY);
  const before = await deposit();
  made.telegram.write(DESK, ANNA, '/transfer 50 INR to M 1 for rent');
  await hear(platform, made.node.clock);
  const [todo] = (await ask(platform, honest, getMine, { kind: 'transferInstruction' })).list;
  expect(await askRefused(platform, maker, decide, { id: todo!.id, approve: true })).toMatchObject({
    data: { reason: 'sameHands' },
  });
  await ask(platform, honest, decide, { id: todo!.id, approve: true });
  const [withdrawal] = (await ask(platform, maker, getMine, { kind: 'withdrawal' })).list;
  expect(await askRefused(platform, maker, decide, { id: withdrawal!.id, approve: true })).toMatchObject({
    data: { reason: 'sameHands' },
  });
  expect(await deposit()).toBe(before);
});
