import { isDeepStrictEqual } from 'node:util';
import { saveBotGroup } from '@sangam/contract/endpoints/bot.ts';
import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { approvalNeeded, startApproval, type Started } from '../approvals/start.ts';
import { audit } from '../platform/audit/record.ts';
import { sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal, wrongInput } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { type BotGroup, GROUP_COLUMNS } from './store.ts';

type Asked = z.output<typeof saveBotGroup.input>;
type Input = Omit<Asked, 'reason'>;

/**
 * Adds a group to the white list, or changes one. A change waits for a second person (1205) when it lets a chat or a person read or say
 * more than before, or stops alerts to the group.
 */
export async function saveGroup(
  platform: Platform,
  viewer: Viewer,
  { reason, ...input }: Asked,
): Promise<{ readonly id: string } | Refusal> {
  const problem = inputProblem(input);
  if (problem) return problem;
  const id = input.id === undefined ? platform.ids.next() : BigInt(input.id);
  const outcome = await platform.db.tx(async (tx): Promise<Started | Refusal | undefined> => {
    const before = await lockGroup(tx, id);
    // The messages of a group belong to its bot, so the bot cannot change.
    if (input.id !== undefined && (!before || before.bot !== input.bot)) return refuse('notFound');
    if (!opensMore(before, input) && !tellsLess(before, input))
      return put(platform, tx, viewer, id, before, input, reason);
    const wrong = await rowProblem(tx, id, input);
    if (wrong) return wrong;
    return startApproval(platform, tx, viewer, {
      kind: 'botGroup',
      subjectKind: 'botGroup',
      subjectId: id,
      payload: { ...input, allBefore: before ? inputOf(before) : null },
      reason,
      sole: true,
    });
  });
  if (isRefusal(outcome)) return outcome;
  return outcome ? approvalNeeded(outcome) : { id: String(id) };
}

function inputProblem(input: Input): Refusal | undefined {
  const isTransfer = input.bot === 'transfer';
  if ((input.ownerKind === null) !== (input.ownerId === null) || (isTransfer && input.ownerId === null))
    return wrongInput('ownerKind', 'ownerId');
  if (isTransfer && input.senders.length === 0) return wrongInput('senders');
  if (
    (input.quietFrom === null) !== (input.quietTo === null) ||
    (input.quietFrom !== null && input.quietFrom === input.quietTo)
  )
    return wrongInput('quietFrom', 'quietTo');
  return undefined;
}

/** Whether the change lets somebody read or say something that they may not now. A group that is switched off opens nothing. */
function opensMore(before: BotGroup | undefined, after: Input): boolean {
  if (!after.enabled) return false;
  if (!before?.enabled || isOtherChat(before, after)) return true;
  if (after.kinds.some((kind) => !before.kinds.includes(kind))) return true;
  // An empty list of senders means: everybody in the group.
  if (before.senderIds.length === 0) return false;
  return after.senders.length === 0 || after.senders.some((sender) => !before.senderIds.includes(sender));
}

/** Whether the change stops alerts to the group. Without alerts nobody would notice what is done afterwards. */
function tellsLess(before: BotGroup | undefined, after: Pick<Input, 'enabled' | 'kinds'>): boolean {
  return (
    before?.enabled === true && before.kinds.some((kind) => !after.enabled || !after.kinds.includes(kind))
  );
}

function ownerOf({ ownerKind, ownerId }: Input): {
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
} {
  const owner = ownerId === null ? null : BigInt(ownerId);
  return {
    merchantId: ownerKind === 'merchant' ? owner : null,
    supplierId: ownerKind === 'supplier' ? owner : null,
  };
}

/**
 * Removes a group from the white list. A group that gets alerts must be switched off first. A group that gave instructions stays, because
 * they refer to it.
 */
export function deleteGroup(
  platform: Platform,
  viewer: Viewer,
  id: bigint,
  reason: string,
): Promise<{ readonly id: string } | Refusal> {
  return platform.db.tx(async (tx) => {
    const before = await lockGroup(tx, id);
    if (!before) return refuse('notFound');
    if (tellsLess(before, { enabled: false, kinds: [] }))
      return refuse('conflict', {}, { reason: 'groupIsTold' });
    const named = await tx.query(sql`select 1 from transfer_instructions where group_id = ${id} limit 1`);
    if (named.length > 0) return refuse('conflict', {}, { reason: 'groupHasInstructions' });
    await tx.query(sql`delete from bot_groups where id = ${id}`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'bot.groupRemove',
      subject: `botGroup:${id}`,
      before: inputOf(before),
      reason,
      ip: viewer.ip,
    });
    return { id: String(id) };
  });
}

async function lockGroup(tx: Tx, id: bigint): Promise<BotGroup | undefined> {
  const [group] = await tx.query<BotGroup>(sql`
    select ${GROUP_COLUMNS} from bot_groups g where g.id = ${id} for update`);
  return group;
}

async function put(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  id: bigint,
  before: BotGroup | undefined,
  input: Input,
  reason: string | null,
): Promise<Refusal | undefined> {
  const wrong = await rowProblem(tx, id, input);
  if (wrong) return wrong;
  const { merchantId, supplierId } = ownerOf(input);
  const values = sql`${input.bot}, ${BigInt(input.chatId)}, ${input.title}, ${merchantId}, ${supplierId}, ${input.kinds},
    ${input.senders.map(BigInt)}, ${input.perMinute}, ${input.quietFrom}, ${input.quietTo}, ${input.locale}, ${input.enabled}`;
  const columns = sql`bot, chat_id, title, merchant_id, supplier_id, kinds, sender_ids, per_minute, quiet_from, quiet_to, locale, enabled`;
  await tx.query(
    before
      ? sql`update bot_groups set (${columns}, last_error, paused_until) = (${values}, null, null) where id = ${id}`
      : sql`insert into bot_groups (id, ${columns}, created_at) values (${id}, ${values}, ${platform.clock.now()})`,
  );
  if (before && isOtherChat(before, input)) await leaveMessages(tx, id);
  await tx.query(
    sql`delete from bot_unknown_chats where bot = ${input.bot} and chat_id = ${BigInt(input.chatId)}`,
  );
  // Who may instruct the bot now is no stranger any more. Where nobody is named, everybody may.
  const senders = input.senders.map(BigInt);
  await tx.query(sql`
    delete from bot_unknown_senders
    where group_id = ${id} and (${senders.length} = 0 or sender_id = any(${senders}::bigint[]))`);
  await audit(platform, tx, {
    userId: viewer.userId,
    action: before ? 'bot.groupChange' : 'bot.groupAdd',
    subject: `botGroup:${id}`,
    before: before && inputOf(before),
    after: { ...input, id: String(id) },
    reason,
    ip: viewer.ip,
  });
  return undefined;
}

function isOtherChat(before: BotGroup, after: Input): boolean {
  const { merchantId, supplierId } = ownerOf(after);
  return (
    String(before.chatId) !== after.chatId ||
    before.merchantId !== merchantId ||
    before.supplierId !== supplierId
  );
}

/** What waits for the chat or the party before is dropped; what was sent to it is neither edited nor repeated any more. */
async function leaveMessages(tx: Tx, groupId: bigint): Promise<void> {
  await tx.query(sql`
    update bot_messages set state = case state when 'waiting' then 'dropped' else state end, message_id = null
    where group_id = ${groupId}`);
}

/** Why the database would refuse the group. */
async function rowProblem(tx: Tx, id: bigint, input: Input): Promise<Refusal | undefined> {
  const { merchantId, supplierId } = ownerOf(input);
  const [found] = await tx.query<{ taken: boolean; hasOwner: boolean }>(sql`
    select exists (select from bot_groups where bot = ${input.bot} and chat_id = ${BigInt(input.chatId)} and id <> ${id}) as taken,
      (${merchantId}::bigint is null or exists (select from merchants where id = ${merchantId}))
        and (${supplierId}::bigint is null or exists (select from suppliers where id = ${supplierId})) as "hasOwner"`);
  if (found!.taken) return refuse('conflict', {}, { reason: 'nameTaken' });
  return found!.hasOwner ? undefined : wrongInput('ownerId');
}

/**
 * The group in the fields of a change. The person who decides sees what changes, and the request is compared with the group at that time.
 */
const inputOf = ({ id, chatId, merchantId, supplierId, senderIds, kinds, ...rest }: BotGroup): Input => ({
  ...rest,
  id: String(id),
  chatId: String(chatId),
  ownerKind: merchantId !== null ? 'merchant' : supplierId !== null ? 'supplier' : null,
  ownerId: (merchantId ?? supplierId)?.toString() ?? null,
  kinds: [...kinds],
  senders: [...senderIds],
});

/** The request to save a group. If the group was changed since the request, the request no longer applies. */
export const botGroupApproval = approvalHandler({
  kind: 'botGroup',
  payload: saveBotGroup.input.omit({ reason: true }).extend({ allBefore: z.unknown() }),
  summary: () => ({ amount: null, currency: null }),
  async execute(platform, tx, { payload: { allBefore, ...input }, subjectId: id, reason }, decider) {
    const before = await lockGroup(tx, id);
    if (!isDeepStrictEqual(before ? inputOf(before) : null, allBefore)) return refuse('conflict');
    return (await put(platform, tx, decider, id, before, input, reason)) ?? { chatId: input.chatId };
  },
});
