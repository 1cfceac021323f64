import { type Sql, type Tx, sql } from '../platform/db/database.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import { familiesOf } from '../order-numbers/references.ts';
import { joinMessage } from '../evidence/matching/join.ts';
import type { Platform } from '../platform/platform.ts';
import type { AskedMovement } from '../evidence/trusted-chain/corroborated.ts';
import { debitTurns } from './debit-turns.ts';
import { claimProven } from './claimed-references.ts';
import { notifyClaimContradicted } from './contradicted.ts';
import { isOfAnother, lockProofs, OPEN_DEBIT } from './debits.ts';
import type { PayoutOrder } from './order.ts';
import { ID_SLACK } from '../platform/db/ids.ts';
import { lockPayouts } from './store.ts';
import { normaliseReference } from '@sangam/contract/references.ts';

const completedInTurns = debitTurns();

/**
 * Proves payouts whose debit came, or was corroborated by its account's chain, after the supplier had confirmed them; joins the debits.
 * Returns how many. A sweep, because a message and a confirmation that are written at the same moment do not see each other.
 */
export async function proveConfirmed(platform: Platform): Promise<number> {
  const found = await platform.db.query<AskedMovement & { orderId: bigint }>(sql`
    select o.id as "orderId", min(m.id) as id, min(m.account_id) as "accountId", min(m.balance) as balance, o.currency, o.amount,
      'payoutUtr' as evidence
    from payout_orders o
    join messages m on m.utr = o.utr and m.supplier_id = o.supplier_id and m.amount = o.amount
      and m.currency = o.currency and ${OPEN_DEBIT}
      and (o.account_id is null or m.account_id = o.account_id)
    where o.unproven and not ${isOfAnother(sql`o.utr`, sql`o.id`)}
    group by o.id having count(*) = 1 order by o.id`);
  const borne = await completedInTurns(platform, found);
  let proven = 0;
  for (const { orderId } of found.filter(({ id }) => borne.has(id))) {
    const joined = await platform.db.tx(async (tx) => {
      const [order] = await lockPayouts(tx, [orderId]);
      return order?.unproven ? prove(platform, tx, order) : false;
    });
    if (joined) proven += 1;
  }
  await contradictClaims(platform);
  return proven;
}

/** SQL: another order has used the UTR of the payout (alias `o`). */
const IS_USED_BY_ANOTHER: Sql = sql`exists (select from utr_uses u
  where u.family = any(${familiesOf(sql`o.currency`)}) and u.utr = o.utr and u.order_id <> o.id)`;

/** SQL: the supplier has a debit with the payout's UTR, amount and currency. */
const HAS_DEBIT_OF_ITS_SUM: Sql = sql`exists (select from messages f
  where f.utr = o.utr and f.direction = 'debit' and f.supplier_id = o.supplier_id
    and f.amount = o.amount and f.currency = o.currency)`;

/** SQL: the bank has reported the UTR as a credit, or as a debit of another account of the supplier, or only of another sum. */
const IS_ANOTHER_MOVEMENT: Sql = sql`exists (select from messages m where m.utr = o.utr and (m.direction = 'credit'
  or m.direction = 'debit' and m.supplier_id = o.supplier_id and (m.account_id <> o.account_id or not ${HAS_DEBIT_OF_ITS_SUM})))`;

/** SQL: the supplier has a debit with the payout's UTR. */
const HAS_OWN_DEBIT: Sql = sql`exists (select from messages own
  where own.utr = o.utr and own.direction = 'debit' and own.supplier_id = o.supplier_id)`;

/** SQL: the admins were notified that the payout's UTR is another movement's. */
const IS_REPORTED: Sql = sql`exists (select from order_events e
  where e.order_id = o.id and e.id > o.id - ${ID_SLACK} and e.kind = 'contradicted' and e.data->>'said' = 'elsewhere')`;

/** Notifies the admins of unproven payouts whose UTR is another order's or another movement's, each once. */
async function contradictClaims(platform: Platform): Promise<void> {
  const found = await platform.db.query<{ id: bigint }>(sql`
    select o.id from payout_orders o
    where o.unproven and o.utr is not null and (${IS_USED_BY_ANOTHER} or ${IS_ANOTHER_MOVEMENT}) and not ${IS_REPORTED}
    order by o.id limit 100`);
  for (const id of [...found.map(({ id }) => id), ...(await paidByRivals(platform))]) {
    await platform.db.tx(async (tx) => {
      const [order] = await lockPayouts(tx, [id]);
      if (order?.unproven) await notifyClaimContradicted(platform, tx, order, order.utr!);
    });
  }
}

const rivalsInTurns = debitTurns();

/**
 * Ids of unproven payouts whose UTR the bank has reported as a debit of another supplier, and of none of their own (`paidByAnother` is the
 * same rule at the confirmation). Only a corroborated debit counts: a rival could have written it.
 */
async function paidByRivals(platform: Platform): Promise<bigint[]> {
  const found = await platform.db.query<AskedMovement & { orderId: bigint }>(sql`
    select o.id as "orderId", m.id, m.account_id as "accountId", m.balance, m.currency, m.amount, 'payoutUtr' as evidence
    from payout_orders o
    join messages m on m.utr = o.utr and m.direction = 'debit' and m.account_id is not null and m.supplier_id <> o.supplier_id
    where o.unproven and not ${HAS_OWN_DEBIT} and not ${IS_REPORTED} order by o.id`);
  const borne = await rivalsInTurns(platform, found);
  return found.flatMap(({ id, orderId }) => (borne.has(id) ? [orderId] : []));
}

/** A gateway says that it paid a payout. Proves it if a person confirmed it by the same reference; returns whether it did. */
export function proveByGateway(platform: Platform, orderId: bigint, utr: string | null): Promise<boolean> {
  return platform.db.tx(async (tx) => {
    const [order] = await lockPayouts(tx, [orderId]);
    const isSame = order?.unproven && utr !== null && normaliseReference(utr) === order.utr;
    return isSame ? setProven(platform, tx, order, { by: 'gateway' }) : false;
  });
}

async function prove(platform: Platform, tx: Tx, order: PayoutOrder): Promise<boolean> {
  const debit = (await lockProofs(platform, tx, 'supplier', [{ order, utr: order.utr }])).get(order.id);
  if (!debit || !(await setProven(platform, tx, order, { messageId: String(debit.id) }))) return false;
  await joinMessage(platform, tx, debit.id, order.id, 'payoutUtr');
  return true;
}

/** Marks a payout as proven and claims its UTR. False when another order has used the UTR. */
async function setProven(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  data: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (!(await claimProven(tx, order, platform.clock.now()))) return false;
  await tx.query(sql`update payout_orders set unproven = false where id = ${order.id}`);
  await writeEvents(platform, tx, [
    {
      orderId: order.id,
      kind: 'proven',
      from: order.status,
      to: order.status,
      actor: SYSTEM,
      data,
    },
  ]);
  return true;
}
