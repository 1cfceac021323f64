import { getBotMessages, getTransferInstructions } from '@sangam/contract/endpoints/bot.ts';
import { getFundRecordList } from '@sangam/contract/endpoints/party.ts';
import { decide, getMine } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '@sangam/contract/roles.ts';
import type { Platform } from '../platform/platform.ts';
import { ask } from '../testing/ask.ts';
import { hear } from '../testing/telegram.ts';
import { ANNA, DESK, makeTransferDesk, type TransferDesk } from '../testing/transfer-desk.ts';

const PAYEE = 'Ravi Kumar 50100012345678';

let made: TransferDesk;
let platform: Platform;
beforeAll(async () => {
  made = await makeTransferDesk();
  ({ platform } = made);
});
afterAll(() => made.stop());

/** Everything that a role reads of the instruction and of what came of it. */
async function readBy(role: Role): Promise<readonly string[]> {
  const viewer = await made.person(role);
  const read = await Promise.all([
    ask(platform, viewer, getTransferInstructions),
    ask(platform, viewer, getBotMessages),
    ask(platform, viewer, getFundRecordList, { ownerKind: 'supplier', ownerId: String(made.supplierId) }),
  ]);
  return read.map((each) => JSON.stringify(each));
}

test('who sees payees masked reads nowhere whom a group wants to pay', async () => {
  made.telegram.write(DESK, ANNA, `/transfer 50 INR to ${PAYEE} for rent`);
  await hear(platform, made.node.clock);
  const decided = async (kind: 'transferInstruction' | 'withdrawal') => {
    const admin = await made.person('admin');
    const [todo] = (await ask(platform, admin, getMine, { kind })).list;
    await ask(platform, admin, decide, { id: todo!.id, approve: true });
  };
  await decided('transferInstruction');
  await decided('withdrawal');
  for (const text of await readBy('customerService')) expect(text).toContain(PAYEE);
  for (const text of await readBy('technicalMaintenance')) expect(text).not.toMatch(/Ravi|5010001/);
});
