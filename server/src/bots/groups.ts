import type * as contract from '@sangam/contract/endpoints/bot.ts';
import { businessDay, formatTime, parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, sql } from '../platform/db/database.ts';
import { escapeLike, readPage } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { type BotGroup, GROUP_COLUMNS, insertBotMessage, URGENCY } from './store.ts';
import { botText } from './texts.ts';

type Row = BotGroup & {
  readonly ownerName: string | null;
  readonly sentToday: number;
  readonly waiting: number;
  readonly lastError: string | null;
  readonly createdAt: Date;
};

/** The groups on the white list, newest first. */
export async function listGroups(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof contract.getBotGroups.input>,
): Promise<z.input<typeof contract.getBotGroups.output> | Refusal> {
  const today = parseTime(businessDay(platform.clock.now()))!;
  const page = await readPage<Row>(platform, input, {
    columns: sql`${GROUP_COLUMNS}, coalesce(m.name, s.name) as "ownerName", g.last_error as "lastError", g.created_at as "createdAt",
      (select count(*)::int from bot_messages b where b.group_id = g.id and b.state = 'sent' and b.sent_at >= ${today}) as "sentToday",
      (select count(*)::int from bot_messages b where b.group_id = g.id and b.state = 'waiting') as waiting`,
    from: sql`
      from bot_groups g left join merchants m on m.id = g.merchant_id left join suppliers s on s.id = g.supplier_id
      where true ${input.bot === undefined ? empty : sql`and g.bot = ${input.bot}`}
        ${input.title === undefined ? empty : sql`and g.title ilike ${`%${escapeLike(input.title)}%`}`}
        ${input.enabled === undefined ? empty : sql`and g.enabled = ${input.enabled}`}`,
    key: sql`g.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ createdAt, merchantId, supplierId, senderIds, ...row }) => ({
      ...row,
      id: String(row.id),
      chatId: String(row.chatId),
      ownerKind:
        merchantId !== null ? ('merchant' as const) : supplierId !== null ? ('supplier' as const) : null,
      ownerId: merchantId !== null ? String(merchantId) : supplierId !== null ? String(supplierId) : null,
      kinds: [...row.kinds],
      senders: [...senderIds],
      createTime: formatTime(createdAt),
    })),
  };
}

/** Sends a test message, which only shows that the bot reaches the group. */
export function sendTest(
  platform: Platform,
  viewer: Viewer,
  groupId: bigint,
): Promise<{ readonly id: string } | Refusal> {
  return platform.db.tx(async (tx) => {
    const [group] = await tx.query<BotGroup>(
      sql`select ${GROUP_COLUMNS} from bot_groups g where g.id = ${groupId}`,
    );
    if (!group) return refuse('notFound');
    const body = botText(group.locale, 'test', { account: viewer.account });
    const message = { bot: group.bot, groupId, kind: 'text', body, urgency: URGENCY.answer } as const;
    return { id: String(await insertBotMessage(platform, tx, message)) };
  });
}
