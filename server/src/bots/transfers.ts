import { amountText, type Currency } from '@sangam/contract/money.ts';
import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { startApproval } from '../approvals/start.ts';
import { sql, type Tx } from '../platform/db/database.ts';
import { maskPayee } from '../platform/masking.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse } from '../platform/refusal.ts';
import { isInstruction, readInstruction } from './instruction.ts';
import { viewerOfGroup } from './party.ts';
import { type BotGroup, GROUP_COLUMNS, say, type Sender } from './store.ts';
import { botText } from './texts.ts';

const payload = z.object({
  currency: z.enum(['INR', 'KES', 'USDT']),
  /** In minor units. */
  amount: z.int().positive(),
  payee: z.string(),
  purpose: z.string(),
  group: z.string(),
  sender: z.string(),
  instructionId: z.string(),
});

/**
 * Takes an instruction from a group: creates a request for the group's party, and shows it back as it was understood. No money moves. A
 * text that is not understood gets an answer and creates no request.
 */
export async function takeInstruction(
  platform: Platform,
  tx: Tx,
  group: BotGroup,
  sender: Sender,
  update: { readonly id: bigint; readonly text: string },
): Promise<void> {
  if (!isInstruction(update.text)) return;
  const { locale, merchantId, supplierId } = group;
  const viewer = await viewerOfGroup(tx, group);
  if (!viewer) return;
  const read = readInstruction(update.text);
  const id = platform.ids.next();
  const todoId = read && (await request());
  const isAsked = todoId !== undefined;
  await tx.query(sql`
    insert into transfer_instructions (id, group_id, update_id, sender_id, sender, text, amount, currency, payee, purpose, state,
      todo_id, created_at, ended_at)
    values (${id}, ${group.id}, ${update.id}, ${sender.id}, ${sender.name}, ${update.text.slice(0, 4096)}, ${read?.amount ?? null},
      ${read?.currency ?? null}, ${read?.payee ?? null}, ${read?.purpose ?? null}, ${isAsked ? 'pending' : 'unclear'},
      ${todoId ?? null}, ${platform.clock.now()}, ${isAsked ? null : platform.clock.now()})`);
  const understood = read && {
    amount: `${amountText(read.amount, read.currency)} ${read.currency}`,
    payee: read.payee,
    purpose: read.purpose,
  };
  await say(
    platform,
    tx,
    group,
    understood && isAsked
      ? botText(locale, 'understood', { ...understood, todo: String(todoId) })
      : botText(locale, 'notUnderstood'),
  );

  async function request(): Promise<bigint | undefined> {
    const started = await startApproval(platform, tx, viewer!, {
      kind: 'transferInstruction',
      subjectKind: merchantId === null ? 'supplier' : 'merchant',
      subjectId: (merchantId ?? supplierId)!,
      payload: {
        currency: read!.currency,
        amount: Number(read!.amount),
        payee: read!.payee,
        purpose: read!.purpose,
        group: group.title,
        sender: sender.name,
        instructionId: String(id),
      },
      reason: `${read!.purpose} → ${read!.payee}`.slice(0, 256),
      requestKey: `transfer/${id}`,
      sole: false,
    });
    return isRefusal(started) ? undefined : started.todoId;
  }
}

/**
 * The first decision on an instruction moves no money. It asks for the withdrawal in the name of the person who decided. A second person
 * decides on that withdrawal, and reads its payee. 409 if the sender may no longer give instructions in the group.
 */
export const transferInstructionApproval = approvalHandler({
  kind: 'transferInstruction',
  payload,
  summary: ({ amount, currency }) => ({ amount, currency }),
  async execute(platform, tx, approval, decider) {
    const { payload: asked, subjectKind, subjectId, reason } = approval;
    const party = subjectKind === 'merchant' ? sql`g.merchant_id` : sql`g.supplier_id`;
    const [heard] = await tx.query(sql`
      select 1 from transfer_instructions t join bot_groups g on g.id = t.group_id
      where t.id = ${BigInt(asked.instructionId)} and g.enabled and ${party} = ${subjectId} and t.sender_id = any(g.sender_ids) for share of g`);
    if (!heard) return refuse('conflict');
    const started = await startApproval(platform, tx, decider, {
      kind: 'withdrawal',
      subjectKind,
      subjectId,
      payload: {
        currency: asked.currency,
        bucket: subjectKind === 'merchant' ? 'available' : 'deposit',
        amount: -asked.amount,
        payee: asked.payee,
        purpose: asked.purpose,
      },
      reason,
      requestKey: `transfer/${approval.id}`,
      sole: false,
    });
    if (isRefusal(started)) return started;
    await tx.query(sql`
      update transfer_instructions set state = 'confirmed', second_todo_id = ${started.todoId}
      where id = ${BigInt(asked.instructionId)} and state = 'pending'`);
    return { todoId: String(started.todoId) };
  },
});

type Open = BotGroup & {
  readonly instructionId: bigint;
  readonly state: 'pending' | 'confirmed';
  /** The number that the group was told when it asked. */
  readonly todoId: bigint;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly payee: string;
  readonly ended: 'approved' | 'refused' | 'expired' | 'withdrawn';
  readonly note: string | null;
};

/** Tells groups how their instructions ended, with the number they were told when they asked. Returns how many. */
export function reportTransfers(platform: Platform): Promise<number> {
  const now = platform.clock.now();
  return platform.db.tx(async (tx) => {
    const ended = await tx.query<Open>(sql`
      select t.id as "instructionId", t.state, t.todo_id as "todoId", t.amount, t.currency, t.payee, a.status as ended,
        a.decide_reason as note, ${GROUP_COLUMNS}
      from transfer_instructions t
      join approvals a on a.id = coalesce(t.second_todo_id, t.todo_id)
      join bot_groups g on g.id = t.group_id
      where t.state in ('pending', 'confirmed') and a.status <> 'pending'
      order by t.id limit 100 for update of t skip locked`);
    for (const {
      instructionId,
      state,
      todoId,
      amount,
      currency,
      payee,
      ended: status,
      note,
      ...group
    } of ended) {
      const isDone = state === 'confirmed' && status === 'approved';
      await tx.query(sql`
        update transfer_instructions set state = ${isDone ? 'done' : 'refused'}, ended_at = ${now} where id = ${instructionId}`);
      const values = {
        todo: String(todoId),
        amount: `${amountText(amount, currency)} ${currency}`,
        payee: maskPayee(payee),
        note: note ?? '–',
      };
      await say(
        platform,
        tx,
        group,
        botText(group.locale, isDone ? 'transferDone' : 'transferRefused', values),
      );
    }
    return ended.length;
  });
}
