import { ADMINS } from '@sangam/contract/roles.ts';
import { audit } from '../../platform/audit/record.ts';
import { type Sql, type Tx, sql } from '../../platform/db/database.ts';
import { actorOf, type OrderEvent, writeEvents } from '../../history/events.ts';
import { completeHeld } from '../../evidence/matching/held.ts';
import { directionOf } from '../../order-numbers/numbers.ts';
import { reverseHeld } from '../../payout/reverse.ts';
import { askToUnfreeze } from '../../payout/unfreeze.ts';
import { approvalNeeded } from '../../approvals/start.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { nameScreen } from '../../screening/screen.ts';

type SubjectKind = 'merchant' | 'supplier' | 'account' | 'order';

interface Subject {
  readonly subjectKind: SubjectKind;
  readonly subjectId: string;
  readonly reason: string;
}

interface Hold {
  readonly frozen: boolean;
  readonly legalHold: boolean;
}

const TABLES: Readonly<Record<Exclude<SubjectKind, 'order'>, Sql>> = {
  merchant: sql`merchants`,
  supplier: sql`suppliers`,
  account: sql`accounts`,
};

/**
 * Freezes or unfreezes (docs/domain.md#freeze-and-legal-hold). A frozen merchant creates no orders. A frozen account, and accounts of a
 * frozen supplier, get no orders; a frozen supplier claims no payouts. A frozen order is neither completed nor paid; its evidence is held
 * until it is unfrozen. 409 while a legal hold stands. Two people unfreeze a payout that was reported as paid (1205).
 */
export async function setFrozen(
  platform: Platform,
  viewer: Viewer,
  input: Subject & { readonly frozen: boolean },
): Promise<Record<string, never> | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  if (input.frozen)
    return change(platform, viewer, input, 'hold.freeze', (before) => ({ ...before, frozen: true }));
  // Loaded before the transaction, in which held evidence is looked at: inside it, loading would need a second connection.
  await nameScreen(platform).ready();
  const outcome = await platform.db.tx(async (tx) => {
    const asked = await askToUnfreeze(platform, tx, viewer, input);
    return asked ? { asked } : unfreeze(platform, tx, viewer, input);
  });
  if (!('asked' in outcome)) return outcome;
  return isRefusal(outcome.asked) ? outcome.asked : approvalNeeded(outcome.asked);
}

/** Unfreezes in the caller's transaction. `data` goes into the event of an order's history. */
export function unfreeze(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  subject: Subject,
  data: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, never> | Refusal> {
  const decide = (before: Hold) =>
    before.legalHold ? refuse('conflict', {}, { reason: 'legalHold' }) : { ...before, frozen: false };
  return changeIn(platform, tx, viewer, subject, 'hold.unfreeze', decide, data);
}

/** Sets or lifts a legal hold. After it is lifted the freeze remains, until somebody unfreezes. */
export function setLegalHold(
  platform: Platform,
  viewer: Viewer,
  input: Subject & { readonly legalHold: boolean },
): Promise<Record<string, never> | Refusal> {
  if (viewer.role !== 'superAdmin') return Promise.resolve(refuse('forbidden'));
  const action = input.legalHold ? 'hold.setLegal' : 'hold.liftLegal';
  return change(platform, viewer, input, action, (before) => ({
    frozen: before.frozen || input.legalHold,
    legalHold: input.legalHold,
  }));
}

function change(
  platform: Platform,
  viewer: Viewer,
  subject: Subject,
  action: string,
  decide: (before: Hold) => Hold | Refusal,
): Promise<Record<string, never> | Refusal> {
  return platform.db.tx((tx) => changeIn(platform, tx, viewer, subject, action, decide));
}

async function changeIn(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  { subjectKind, subjectId, reason }: Subject,
  action: string,
  decide: (before: Hold) => Hold | Refusal,
  data: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, never> | Refusal> {
  const id = BigInt(subjectId);
  const table = subjectKind === 'order' ? await lockOrder(tx, id) : TABLES[subjectKind];
  const before = table && (await lockHold(tx, table, id));
  if (!before) return refuse('notFound');
  const after = decide(before);
  if (isRefusal(after)) return after;
  await tx.query(sql`
    update ${table} set frozen = ${after.frozen}, legal_hold = ${after.legalHold} where id = ${id}`);
  await audit(platform, tx, {
    userId: viewer.userId,
    action,
    subject: `${subjectKind}:${id}`,
    before,
    after,
    reason,
    ip: viewer.ip,
  });
  if (subjectKind === 'order' && before.frozen !== after.frozen)
    await toApiOrder(platform, tx, viewer, id, { frozen: after.frozen, reason, data });
  return {};
}

/**
 * The table of an order; undefined when there is none. Locks a collection order's waiting row first, in the lock order of every command.
 */
async function lockOrder(tx: Tx, id: bigint): Promise<Sql | undefined> {
  const direction = await directionOf(tx, id);
  if (direction === 'out') return sql`payout_orders`;
  await tx.query(sql`select 1 from waiting_orders where order_id = ${id} for update`);
  return direction && sql`collection_orders`;
}

/** Writes the freeze or its end into an order's history. An unfrozen order then gets what was held: evidence, or its gateway's reversal. */
async function toApiOrder(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  orderId: bigint,
  { frozen, reason, data }: Pick<Hold, 'frozen'> & Pick<Subject, 'reason'> & Pick<OrderEvent, 'data'>,
): Promise<void> {
  const actor = actorOf(viewer);
  const kind = frozen ? 'frozen' : 'unfrozen';
  await writeEvents(platform, tx, [
    { orderId, kind, from: null, to: null, actor, reason, ...(data && { data }) },
  ]);
  if (frozen) return;
  await completeHeld(platform, tx, orderId, actor);
  await reverseHeld(platform, tx, orderId);
}

async function lockHold(tx: Tx, table: Sql, id: bigint): Promise<Hold | undefined> {
  const rows = await tx.query<Hold>(sql`
    select frozen, legal_hold as "legalHold" from ${table} where id = ${id} for update`);
  return rows[0];
}
