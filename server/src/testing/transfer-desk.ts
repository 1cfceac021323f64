import type { Role } from '@sangam/contract/roles.ts';
import type { SimulatedTelegram } from '@sangam/simulators/telegram/bot-api.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { giveGroup } from './bot-group.ts';
import { createTestPlatform, type TestPlatform } from './platform.ts';
import { giveToken, hear, telegramFor, TRANSFER_TOKEN } from './telegram.ts';
import { makeSupplier, makeUser, viewerOf } from './world.ts';

/** The chat of the group, and its member who may ask for transfers. */
export const DESK = { id: -300, title: 'Desk' };
export const ANNA = { id: 7, username: 'anna' };

/** A supplier whose Telegram group may ask for transfers. */
export interface TransferDesk {
  readonly node: TestPlatform;
  /** The node's platform, connected to the simulated Telegram. */
  readonly platform: Platform;
  readonly telegram: SimulatedTelegram;
  readonly supplierId: bigint;
  person(role: Role): Promise<Viewer>;
  stop(): Promise<void>;
}

export async function makeTransferDesk(): Promise<TransferDesk> {
  const node = await createTestPlatform();
  const telegram = await telegramFor(node.clock);
  const platform = { ...node.platform, config: { ...node.platform.config, telegramUrl: telegram.url } };
  await giveToken(platform, 'TransferBotToken', TRANSFER_TOKEN);
  const { supplierId } = await makeSupplier(platform);
  await giveGroup(platform, {
    bot: 'transfer',
    chatId: String(DESK.id),
    title: DESK.title,
    ownerKind: 'supplier',
    ownerId: String(supplierId),
    senders: [String(ANNA.id)],
  });
  await hear(platform, node.clock);
  return {
    node,
    platform,
    telegram,
    supplierId,
    async person(role) {
      const { id, account } = await makeUser(platform, { role });
      return { ...viewerOf(platform, { role }), userId: id, account };
    },
    async stop() {
      await telegram.stop();
      await node.close();
    },
  };
}
