import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { joinLostMoney } from '../evidence/lost/join.ts';
import { settleOutside } from '../evidence/lost/settle-outside.ts';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { AttackLife, AttackWorld, TrueCredit } from './attack-world.ts';
import { newReference } from './payments.ts';

/** Operators in the attacker model. They are honest and look at the bank's book, but what they have read may be out of date. */

/** Lost money as an operator has read it. */
export interface LostRow {
  readonly messageId: bigint;
  readonly utr: string | null;
  /** Undefined for a forged message, because nobody can tell. */
  readonly credit: TrueCredit | undefined;
  /** Another wording of the credit has paid an order, or the credit was refunded. */
  readonly isTaken: boolean;
}

/** Whether the credit was refunded or paid an order, by one of its messages or by its reference. */
export async function isTaken(
  platform: Platform,
  { gang, messages }: AttackLife,
  credit: TrueCredit,
): Promise<boolean> {
  if (credit.refunded) return true;
  const told = [...messages].flatMap(([id, each]) => (each === credit ? [id] : []));
  const taken = await platform.db.query(sql`
    select 1 from messages where external_id = any(${told}) and monitor_id = ${gang.shop.monitor.id} and state = 'matched'
    union all
    select 1 from utr_uses where utr = ${credit.reference}`);
  return taken.length > 0;
}

/** The newest rows of lost money on the gang's account that belong to this sequence. */
export async function look(platform: Platform, life: AttackLife): Promise<LostRow[]> {
  const ids = [...life.messages.keys()];
  const found = await platform.db.query<{ id: bigint; externalId: string; utr: string | null }>(sql`
    select id, external_id as "externalId", utr from messages
    where external_id = any(${ids}) and monitor_id = ${life.gang.shop.monitor.id} and direction = 'credit'
      and state in ('unmatched', 'ambiguous', 'held', 'untrusted') order by id desc limit 3`);
  const rows: LostRow[] = [];
  for (const { id, externalId, utr } of found) {
    const credit = life.messages.get(externalId);
    rows.push({
      messageId: id,
      utr,
      credit,
      isTaken: credit !== undefined && (await isTaken(platform, life, credit)),
    });
  }
  return rows;
}

export async function join(
  platform: Platform,
  viewer: Viewer,
  life: AttackLife,
  { messageId, utr, credit }: LostRow,
  { orderId, isTrue }: { readonly orderId: bigint; readonly isTrue: boolean },
): Promise<void> {
  const reference = utr ?? (isTrue ? credit?.reference : undefined) ?? newReference();
  const outcome = await joinLostMoney(platform, viewer, { orderId, messageId, utr: reference });
  await noteRequest(platform, life, outcome, credit);
}

/**
 * Notes a request that waits for a second person. That person sees what was known when it was asked; the platform must notice what has
 * changed since.
 */
export async function noteRequest(
  platform: Platform,
  life: AttackLife,
  outcome: unknown,
  credit: TrueCredit | undefined,
): Promise<bigint | undefined> {
  const { code, data } = outcome as Partial<Refusal>;
  if (code !== 'approvalNeeded') return undefined;
  const id = BigInt((data as { readonly todoId: string }).todoId);
  if (credit && (await isTaken(platform, life, credit))) life.wrong.add(id);
  return id;
}

/** Asks to settle a row outside the platform. The money goes back once somebody approves. */
export async function askSettle(
  platform: Platform,
  viewer: Viewer,
  life: AttackLife,
  { messageId, credit }: LostRow,
): Promise<void> {
  if (!credit) return;
  const asked = await settleOutside(platform, viewer, { messageId, reason: 'refunded by hand' });
  const id = await noteRequest(platform, life, asked, credit);
  if (id !== undefined) life.asked.set(id, credit);
}

/** An admin decides the oldest request about an order or a credit of the sequence. */
export async function decideOldest(
  platform: Platform,
  admin: Viewer,
  life: AttackLife,
  approve: boolean,
): Promise<void> {
  const [open] = await platform.db.query<{ id: bigint }>(sql`
    select id from approvals where status = 'pending' and (subject_kind = 'order'
      and subject_id = any(${life.orders.map(({ id }) => id)}) or id = any(${[...life.asked.keys()]})) order by id limit 1`);
  if (open) await settle(platform, admin, life, open.id, approve && !life.wrong.has(open.id));
}

async function settle(platform: Platform, admin: Viewer, life: AttackLife, id: bigint, approve: boolean) {
  const decided = await decide(platform, APPROVAL_HANDLERS, admin, { id, approve });
  const credit = life.asked.get(id);
  life.asked.delete(id);
  if (!credit || !approve || isRefusal(decided)) return;
  credit.isSettled = true;
  giveBack(life, credit);
}

function giveBack({ gang }: AttackLife, credit: TrueCredit): void {
  if (credit.refunded) return;
  gang.bank -= credit.amount;
  credit.refunded = true;
}

/**
 * An operator refunds a credit that may still be matched, says so, and a second person approves. For an older credit nobody says anything.
 */
export async function refund(
  platform: Platform,
  { customerService, admin }: AttackWorld['staff'],
  life: AttackLife,
  credit: TrueCredit | undefined,
): Promise<void> {
  if (!credit || (await isTaken(platform, life, credit))) return;
  if (platform.clock.now().getTime() - credit.at >= 2 * DAY) return giveBack(life, credit);
  const row = (await look(platform, life)).find((each) => each.credit === credit);
  if (!row) return;
  await askSettle(platform, customerService, life, row);
  const [id] = [...life.asked].find(([, each]) => each === credit) ?? [];
  if (id !== undefined) await settle(platform, admin, life, id, true);
}
