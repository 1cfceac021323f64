import { ALERT_KINDS } from '@sangam/contract/alerts.ts';
import { DEMO_CHATS, DEMO_TOKENS, DEMO_WRITERS } from '@sangam/contract/demo-chats.ts';
import { PLAIN_GROUP, type saveBotGroup } from '@sangam/contract/endpoints/bot.ts';
import type { z } from 'zod';
import type { ApprovalHandlers } from '../approvals/approval.ts';
import { decide } from '../approvals/decide.ts';
import { saveGroup } from '../bots/save-group.ts';
import { DAY, MINUTE } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { storedOf } from '../platform/settings/secret.ts';
import { storeSetting } from '../platform/settings/settings.ts';
import { must, personOf, platformAt } from './acting.ts';
import type { World } from './world.ts';

const AGE = 2 * DAY;

/** Both bots with their tokens, and their groups as two people approved them. The simulator plays Telegram. */
export async function makeDemoBots(
  platform: Platform,
  tx: Tx,
  { userIds, merchants, suppliers }: Pick<World, 'userIds' | 'merchants' | 'suppliers'>,
  approvals: ApprovalHandlers,
): Promise<void> {
  const [asker, decider] = [
    personOf(userIds, 'superadmin', 'superAdmin'),
    personOf(userIds, 'admin', 'admin'),
  ];
  const begin = platform.clock.now().getTime() - AGE;
  const at = (after: number) => platformAt(platform, tx, new Date(begin + after));
  for (const [name, token] of [
    ['BotToken', DEMO_TOKENS.alert],
    ['TransferBotToken', DEMO_TOKENS.transfer],
  ] as const)
    await storeSetting(tx, {
      name,
      value: storedOf(platform, name, token),
      userId: asker.userId,
      at: new Date(begin),
    });
  const groups = [
    groupOf('operations', { kinds: [...ALERT_KINDS] }),
    groupOf('merchant', { ownerKind: 'merchant', ownerId: String(merchants[0]!.id) }),
    groupOf('supplier', {
      ownerKind: 'supplier',
      ownerId: String(suppliers[0]!.id),
      senders: [String(DEMO_WRITERS.supplier.id)],
    }),
  ];
  for (const [index, group] of groups.entries()) {
    const asked = await saveGroup(at(index * 10 * MINUTE), asker, group);
    const { todoId } = ('data' in asked ? asked.data : undefined) as { readonly todoId: string };
    must(
      await decide(at((index * 10 + 5) * MINUTE), approvals, decider, { id: BigInt(todoId), approve: true }),
    );
  }
}

type Group = z.output<typeof saveBotGroup.input>;

function groupOf(chat: keyof typeof DEMO_CHATS, fields: Partial<Group>): Group {
  const { id, title, bot } = DEMO_CHATS[chat];
  return { ...PLAIN_GROUP, bot, chatId: String(id), title, reason: 'Groups of the demo', ...fields };
}
