import type { ApprovalHandlers } from '../approvals/approval.ts';
import { decide } from '../approvals/decide.ts';
import { post, type PostingRequest } from '../ledger/post.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import { reverse } from '../orders/reverse.ts';
import type { Platform } from '../platform/platform.ts';
import { settleDue } from '../treasury/settlement/run.ts';
import { doneAt, must, personOf } from './acting.ts';
import type { Movement } from './plan-money.ts';
import type { World } from './world.ts';

/** Postings in one call. One call locks each balance it touches once. */
const POSTINGS = 1_500;

/** How long before its approval a reversal was asked for. */
const ASKED_BEFORE = 20 * MINUTE;

const REASONS = [
  'Sender’s bank recalled the transfer',
  'Paid by a stolen card',
  'Paid twice, refunded by hand',
];

/** Moves money as it was moved in the past: postings in sets, settlements and reversals by their own commands. */
export async function moveMoney(
  platform: Platform,
  tx: Tx,
  world: World,
  movements: readonly Movement[],
  approvals: ApprovalHandlers,
): Promise<void> {
  const waiting: PostingRequest[] = [];
  let reversals = 0;
  for (const movement of movements) {
    if (movement.by === 'posting') {
      waiting.push(movement.posting);
      if (waiting.length === POSTINGS) await postAll(platform, tx, waiting.splice(0));
      continue;
    }
    await postAll(platform, tx, waiting.splice(0));
    const { at } = movement;
    if (movement.by === 'settlement') await doneAt(platform, tx, at, settleDue);
    else {
      const input = { orderId: movement.order.order.id, reason: REASONS[reversals % REASONS.length] };
      await reverseByTwo(platform, tx, world, at, input, approvals);
      reversals += 1;
    }
  }
  await postAll(platform, tx, waiting);
  await acknowledgeReversals(platform, tx);
  await readAnswers(tx, world);
}

/** An admin asked for the reversal, and a superAdmin approved it. */
async function reverseByTwo(
  platform: Platform,
  tx: Tx,
  { userIds }: World,
  at: Date,
  input: Parameters<typeof reverse>[2],
  approvals: ApprovalHandlers,
): Promise<void> {
  const asker = personOf(userIds, 'admin', 'admin');
  const decider = personOf(userIds, 'superadmin', 'superAdmin');
  const asked = await doneAt(platform, tx, new Date(at.getTime() - ASKED_BEFORE), (past) =>
    reverse(past, asker, input),
  );
  const { todoId } = asked.data as { readonly todoId: string };
  const decision = { id: BigInt(todoId), approve: true };
  must(await doneAt(platform, tx, at, (past) => decide(past, approvals, decider, decision)));
}

async function postAll(platform: Platform, tx: Tx, requests: readonly PostingRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const outcomes = await post(platform, tx, requests);
  const refused = outcomes.findIndex((outcome) => outcome !== 'posted');
  if (refused >= 0) throw new Error(`demo posting ${requests[refused]!.key} was ${outcomes[refused]}`);
}

/** The asker has read long ago that its requests were approved. */
async function readAnswers(tx: Tx, { userIds }: World): Promise<void> {
  await tx.query(sql`
    update inbox_messages set folder = 'readed', moved_at = created_at
    where user_id = ${userIds.get('admin')!} and kind = 'requestApproved' and data->>'request' = 'reversal'`);
}

/** The merchants acknowledged each reversal within a moment, so no callback of the past is left to send. */
async function acknowledgeReversals(platform: Platform, tx: Tx): Promise<void> {
  const told = await tx.query<{
    id: bigint;
    orderId: bigint;
    url: string;
    fields: object;
    createdAt: Date;
  }>(sql`
    with told as (delete from callback_queue returning callback_id)
    select c.id, c.order_id as "orderId", c.url, c.fields, c.created_at as "createdAt"
    from told join callbacks c on c.id = told.callback_id order by c.id`);
  if (told.length === 0) return;
  const at = told.map(({ createdAt }) => new Date(createdAt.getTime() + SECOND));
  await tx.query(sql`
    insert into callback_attempts (id, callback_id, order_id, url, http_method, request, status, answer, duration_ms, created_at)
    select v.id, v.callback_id, v.order_id, v.url, 'POST', v.request, 200, 'success', 120, v.at
    from unnest(${at.map((each) => platform.ids.next(each))}::bigint[], ${told.map(({ id }) => id)}::bigint[],
      ${told.map(({ orderId }) => orderId)}::bigint[], ${told.map(({ url }) => url)}::text[],
      ${told.map(({ fields }) => JSON.stringify(fields))}::text[], ${at}::timestamptz[]) as v (id, callback_id, order_id, url, request, at)`);
}
