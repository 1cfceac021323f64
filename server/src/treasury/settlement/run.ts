import { businessDay } from '@sangam/contract/time.ts';
import type { startSettlementRun } from '@sangam/contract/endpoints/settlement.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { approvalNeeded, startApproval, type Started } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { post, type Leg } from '../../ledger/post.ts';
import { notify } from '../../inbox/notify.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import {
  allDue,
  type Asked,
  dueOf,
  finishRun,
  insertAsked,
  insertRows,
  insertRun,
  lockOpenRun,
} from './store.ts';

const BATCH = 100;

interface WantedRun {
  readonly throughDay: string;
  readonly merchantId: bigint | null;
}

/** The balances of one currency that an early run may move. */
const earlySum = z.object({ currency: z.enum(['INR', 'KES', 'USDT']), count: z.int(), amount: z.int() });

/**
 * Starts a settlement run by hand; any node works it off (`settleDue`). A run through a day that has not come gives out money early, which
 * may still be reversed: a second person has to agree (1205), and sees the sums. Money that comes meanwhile waits for its day.
 */
export async function startRun(
  platform: Platform,
  viewer: Viewer,
  { throughDay, merchantId, reason }: z.output<typeof startSettlementRun.input>,
): Promise<{ id: string } | Refusal> {
  const outcome = await platform.db.tx(async (tx): Promise<{ id: string } | Started | Refusal> => {
    if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
    const today = businessDay(platform.clock.now());
    const run = {
      throughDay: throughDay ?? today,
      merchantId: merchantId === undefined ? null : BigInt(merchantId),
    };
    if (run.merchantId !== null) {
      const known = await tx.query(sql`select 1 from merchants where id = ${run.merchantId}`);
      if (known.length === 0) return refuse('notFound');
    }
    if (run.throughDay <= today)
      return writeRun(platform, tx, viewer, run, { reason, startedBy: viewer.userId, approvalId: null });
    const asked = await allDue(tx, run);
    const started = await startApproval(platform, tx, viewer, {
      kind: 'earlySettlement',
      subjectKind: 'merchant',
      subjectId: run.merchantId ?? 0n,
      payload: { throughDay: run.throughDay, merchantId: merchantId ?? null, sums: sumsOf(asked) },
      reason,
      sole: true,
    });
    if (!isRefusal(started)) await insertAsked(tx, started.todoId, asked);
    return started;
  });
  return 'todoId' in outcome ? approvalNeeded(outcome) : outcome;
}

function sumsOf(asked: readonly Asked[]): z.output<typeof earlySum>[] {
  return [...Map.groupBy(asked, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    count: own.length,
    amount: Number(own.reduce((sum, { amount }) => sum + amount, 0n)),
  }));
}

async function writeRun(
  platform: Platform,
  tx: Tx,
  { userId, ip }: Viewer,
  { throughDay, merchantId }: WantedRun,
  by: { readonly reason: string | null; readonly startedBy: bigint; readonly approvalId: bigint | null },
): Promise<{ id: string }> {
  const { reason, startedBy, approvalId } = by;
  const id = platform.ids.next();
  await insertRun(tx, { id, throughDay, merchantId, startedBy, approvalId, at: platform.clock.now() });
  await audit(platform, tx, {
    userId,
    action: 'settlement.startRun',
    subject: `settlementRun:${id}`,
    after: {
      throughDay,
      merchantId: merchantId === null ? null : String(merchantId),
      reason,
      startedBy: String(startedBy),
    },
    ip,
  });
  return { id: String(id) };
}

export const earlySettlementApproval = approvalHandler({
  kind: 'earlySettlement',
  payload: z.object({
    throughDay: z.string(),
    merchantId: z.string().nullable(),
    sums: z.array(earlySum),
  }),
  // A list shows one amount. The sums of several currencies stand in the request.
  summary: ({ sums: [sum, ...others] }) =>
    sum && others.length === 0
      ? { amount: sum.amount, currency: sum.currency }
      : { amount: null, currency: null },
  execute: (platform, tx, { id, payload: { throughDay, merchantId }, reason, startedBy }, decider) =>
    writeRun(
      platform,
      tx,
      decider,
      { throughDay, merchantId: merchantId === null ? null : BigInt(merchantId) },
      { reason, startedBy, approvalId: id },
    ),
});

/**
 * Starts the day's run if something is due, and works off all open runs. Returns how many balances were moved. Any number of nodes may do
 * it at once: a run is locked while a node moves a batch. What a batch moved is recorded in its transaction, so after a crash the next node
 * continues there.
 */
export async function settleDue(platform: Platform): Promise<number> {
  const at = platform.clock.now();
  await platform.db.tx((tx) =>
    insertRun(tx, {
      id: platform.ids.next(),
      throughDay: businessDay(at),
      merchantId: null,
      startedBy: null,
      approvalId: null,
      at,
    }),
  );
  let moved = 0;
  for (;;) {
    const step = await platform.db.tx((tx) => settleSome(platform, tx));
    if (step === undefined) return moved;
    moved += step;
  }
}

/** Moves one batch of the oldest open run; undefined when none is open. */
async function settleSome(platform: Platform, tx: Tx): Promise<number | undefined> {
  const run = await lockOpenRun(tx);
  if (!run) return undefined;
  const at = platform.clock.now();
  const due = (await dueOf(tx, run, BATCH)).map((each) => ({
    ...each,
    key: `settlement/${run.id}/${each.accountId}`,
  }));
  if (due.length === 0) {
    const done = await finishRun(tx, run.id, at);
    if (run.startedBy !== null)
      await notify(platform, tx, { userIds: [run.startedBy] }, 'settlementDone', {
        day: run.throughDay,
        done,
      });
    return 0;
  }
  const outcomes = await post(
    platform,
    tx,
    due.map(({ key, merchantId, currency, slot, balance }) => {
      const merchant = { ownerKind: 'merchant', ownerId: merchantId } as const;
      const legs: Leg[] = [
        { ...merchant, bucket: 'pending', slot, amount: -balance },
        { ...merchant, bucket: 'available', amount: balance, spillsToDebt: true },
      ];
      return { key, kind: 'settlement', orderId: null, currency, legs };
    }),
  );
  // A balance that is not posted was reduced by a reversal since it was read: the next batch reads it again.
  const moved = due.filter((_, index) => outcomes[index] === 'posted');
  await insertRows(tx, run, moved, at);
  return moved.length;
}
