import { decide, getMine } from '@sangam/contract/endpoints/todo.ts';
import type { SimulatedTelegram } from '@sangam/simulators/telegram/bot-api.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteControlChange } from '../access/control-changes.ts';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { balancesIn } from '../testing/books.ts';
import { giveGroup } from '../testing/bot-group.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { giveToken, hear, telegramFor, TRANSFER_TOKEN } from '../testing/telegram.ts';
import { makeSupplier, makeUser, viewerOf } from '../testing/world.ts';

/** Who decides on a withdrawal that a group has asked for is independent of the group's party too. */

let node: TestPlatform;
let telegram: SimulatedTelegram;
let platform: Platform;
let supplierId: bigint;
beforeAll(async () => {
  node = await createTestPlatform();
  telegram = await telegramFor(node.clock);
  platform = { ...node.platform, config: { ...node.platform.config, telegramUrl: telegram.url } };
  await giveToken(platform, 'TransferBotToken', TRANSFER_TOKEN);
  ({ supplierId } = await makeSupplier(platform));
  await giveGroup(platform, {
    bot: 'transfer',
    chatId: '-300',
    title: 'Desk',
    ownerKind: 'supplier',
    ownerId: String(supplierId),
    senders: ['7'],
  });
  await hear(platform, node.clock);
});
afterAll(async () => {
  await telegram.stop();
  await node.close();
});

async function person(): Promise<Viewer> {
  const { id, account } = await makeUser(platform, { role: 'admin' });
  return { ...viewerOf(platform, { role: 'admin' }), userId: id, account };
}
const deposit = async () => (await balancesIn(platform, 'supplier', supplierId))['deposit'];

test('whoever could act as the party does not decide on the withdrawal that its group asked for', async () => {
  const [honest, maker] = [await person(), await person()];
  const [owner] = await platform.db.query<{ id: bigint }>(
    sql`select user_id as id from suppliers where id = ${supplierId}`,
  );
  await platform.db.tx((tx) =>
    noteControlChange(platform, tx, { userId: owner!.id, by: maker.userId, change: 'link' }),
  );
  node.clock.advance(2 * DAY);
  const before = await deposit();
  telegram.write(
    { id: -300, title: 'Desk' },
    { id: 7, username: 'anna' },
    '/transfer 50 INR to M 1 for rent',
  );
  await hear(platform, node.clock);
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
