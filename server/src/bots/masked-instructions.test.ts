import { getBotMessages, getTransferInstructions } from '@sangam/contract/endpoints/bot.ts';
import { getFundRecordList } from '@sangam/contract/endpoints/party.ts';
import { decide, getMine } from '@sangam/contract/endpoints/todo.ts';
import type { SimulatedTelegram } from '@sangam/simulators/telegram/bot-api.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '@sangam/contract/roles.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { giveGroup } from '../testing/bot-group.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { giveToken, hear, telegramFor, TRANSFER_TOKEN } from '../testing/telegram.ts';
import { makeSupplier, makeUser, viewerOf } from '../testing/world.ts';

const PAYEE = 'Ravi Kumar 50100012345678';

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

async function person(role: Role): Promise<Viewer> {
  const { id, account } = await makeUser(platform, { role });
  return { ...viewerOf(platform, { role }), userId: id, account };
}
/** Everything that a role reads of the instruction and of what came of it. */
async function readBy(role: Role): Promise<readonly string[]> {
  const viewer = await person(role);
  const read = await Promise.all([
    ask(platform, viewer, getTransferInstructions),
    ask(platform, viewer, getBotMessages),
    ask(platform, viewer, getFundRecordList, { ownerKind: 'supplier', ownerId: String(supplierId) }),
  ]);
  return read.map((each) => JSON.stringify(each));
}

test('who sees payees masked reads nowhere whom a group wants to pay', async () => {
  telegram.write(
    { id: -300, title: 'Desk' },
    { id: 7, username: 'anna' },
    `/transfer 50 INR to ${PAYEE} for rent`,
  );
  await hear(platform, node.clock);
  const decided = async (kind: 'transferInstruction' | 'withdrawal') => {
    const admin = await person('admin');
    const [todo] = (await ask(platform, admin, getMine, { kind })).list;
    await ask(platform, admin, decide, { id: todo!.id, approve: true });
  };
  await decided('transferInstruction');
  await decided('withdrawal');
  for (const text of await readBy('customerService')) expect(text).toContain(PAYEE);
  for (const text of await readBy('technicalMaintenance')) expect(text).not.toMatch(/Ravi|5010001/);
});
