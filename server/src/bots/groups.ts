import type * as contract from '@sangam/contract/endpoints/bot.ts';
import { businessDay, formatTime, parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { audit } from '../platform/audit/record.ts';
import { empty, sql, violated } from '../platform/db/database.ts';
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

/** The white list, newest first. */
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

/** Puts a group on the white list, or changes one. */
export async function saveGroup(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.saveBotGroup.input>,
): Promise<{ readonly id: string } | Refusal> {
  const isTransfer = input.bot === 'transfer';
  if ((input.ownerKind === null) !== (input.ownerId === null) || (isTransfer && input.ownerId === null))
    return refuse('invalidInput', { fields: 'ownerKind, ownerId' });
  if (isTransfer && input.senders.length === 0) return refuse('invalidInput', { fields: 'senders' });
  if (
    (input.quietFrom === null) !== (input.quietTo === null) ||
    (input.quietFrom !== null && input.quietFrom === input.quietTo)
  )
    return refuse('invalidInput', { fields: 'quietFrom, quietTo' });
  const id = input.id === undefined ? platform.ids.next() : BigInt(input.id);
  const owner = input.ownerId === null ? null : BigInt(input.ownerId);
  const merchantId = input.ownerKind === 'merchant' ? owner : null;
  const supplierId = input.ownerKind === 'supplier' ? owner : null;
  const values = sql`${input.bot}, ${BigInt(input.chatId)}, ${input.title}, ${merchantId}, ${supplierId}, ${input.kinds},
    ${input.senders.map(BigInt)}, ${input.perMinute}, ${input.quietFrom}, ${input.quietTo}, ${input.locale}, ${input.enabled}`;
  try {
    return await platform.db.tx(async (tx) => {
      const [before] = await tx.query<BotGroup>(sql`
        select ${GROUP_COLUMNS} from bot_groups g where g.id = ${id} for update`);
      // What it has been told, and is to be told, was for the bot and party it had.
      if (input.id !== undefined && (!before || before.bot !== input.bot)) return refuse('notFound');
      const columns = sql`bot, chat_id, title, merchant_id, supplier_id, kinds, sender_ids, per_minute, quiet_from, quiet_to, locale, enabled`;
      await tx.query(
        before
          ? sql`update bot_groups set (${columns}, last_error, paused_until) = (${values}, null, null) where id = ${id}`
          : sql`insert into bot_groups (id, ${columns}, created_at) values (${id}, ${values}, ${platform.clock.now()})`,
      );
      await tx.query(
        sql`delete from bot_unknown_chats where bot = ${input.bot} and chat_id = ${BigInt(input.chatId)}`,
      );
      await audit(platform, tx, {
        userId: viewer.userId,
        action: before ? 'bot.groupChange' : 'bot.groupAdd',
        subject: `botGroup:${id}`,
        before: before && shape(before),
        after: { ...input, id: String(id) },
        ip: viewer.ip,
      });
      return { id: String(id) };
    });
  } catch (error) {
    if (violated(error) === 'bot_groups_bot_chat_id_key')
      return refuse('conflict', {}, { reason: 'nameTaken' });
    if (violated(error)?.endsWith('_fkey')) return refuse('invalidInput', { fields: 'ownerId' });
    throw error;
  }
}

const shape = ({ id, chatId, merchantId, supplierId, senderIds, ...rest }: BotGroup) => ({
  ...rest,
  id: String(id),
  chatId: String(chatId),
  merchantId: merchantId === null ? null : String(merchantId),
  supplierId: supplierId === null ? null : String(supplierId),
  senders: [...senderIds],
});

/** Takes a group off the white list. One that gave instructions stays, switched off: they name it. */
export function deleteGroup(
  platform: Platform,
  viewer: Viewer,
  id: bigint,
): Promise<{ readonly id: string } | Refusal> {
  return platform.db.tx(async (tx) => {
    const [before] = await tx.query<BotGroup>(sql`
      select ${GROUP_COLUMNS} from bot_groups g where g.id = ${id} for update`);
    if (!before) return refuse('notFound');
    const named = await tx.query(sql`select 1 from transfer_instructions where group_id = ${id} limit 1`);
    if (named.length > 0) return refuse('conflict', {}, { reason: 'groupHasInstructions' });
    await tx.query(sql`delete from bot_groups where id = ${id}`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'bot.groupRemove',
      subject: `botGroup:${id}`,
      before: shape(before),
      ip: viewer.ip,
    });
    return { id: String(id) };
  });
}

/** A message that says no more than that the bot reaches the group. */
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
