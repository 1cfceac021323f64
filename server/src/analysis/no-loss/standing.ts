import type { NO_LOSS_KINDS } from '@sangam/contract/endpoints/no-loss.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { COLLECTION, SUPPLEMENTED } from '../../platform/db/statuses.ts';

/** How far the money of a paid order has come. Amounts in minor units. */
export interface Standing {
  readonly orderId: bigint;
  readonly currency: Currency;
  readonly received: bigint;
  readonly paidAt: Date;
  readonly reversed: boolean;
  /** Whether a bank's message, or a person's word with its UTR, proves that the money came. */
  readonly evidence: boolean;
  /** What the ledger credited for the order, fee included. Null: nothing. */
  readonly credited: bigint | null;
  readonly acknowledged: boolean;
  /** Attempts to notify the merchant. Null: there is nothing to send. */
  readonly attempts: number | null;
  readonly waits: boolean;
  readonly givenUp: number | null;
}

/** Reads the standings of orders with one SQL statement, so orders, credits and callbacks are of the same moment. */
export function standingsOf(tx: Tx, orderIds: readonly bigint[]): Promise<Standing[]> {
  return tx.query<Standing>(sql`
    select o.id as "orderId", o.currency, o.received, o.paid_at as "paidAt", o.reversed_at is not null as reversed,
      o.supplement_status = ${SUPPLEMENTED} or o.reversed_at is not null or m.order_id is not null as evidence,
      p.credited + o.fee as credited, o.status = ${COLLECTION.callbackSucceeded} or coalesce(c.acknowledged, false) as acknowledged,
      c.attempts, coalesce(c.waits, false) as waits, c.given_up as "givenUp"
    from collection_orders o
    left join message_matches m on m.order_id = o.id
    left join lateral (
      select sum(e.amount)::bigint as credited from postings p
      join ledger_entries e on e.posting_id = p.id join ledger_accounts a on a.id = e.account_id
      where p.order_id = o.id and p.kind in ('collection', 'collectionOffset') and a.owner_kind = 'merchant'
    ) p on true
    left join lateral (
      select bool_or(q.callback_id is null and c.given_up is null) as acknowledged, bool_or(q.callback_id is not null) as waits,
        max(c.given_up) as given_up, sum((select count(*) from callback_attempts t where t.callback_id = c.id))::int as attempts
      from callbacks c left join callback_queue q on q.callback_id = c.id
      where c.order_id = o.id and c.kind in ('paid', 'manual') having count(*) > 0
    ) c on o.status <> ${COLLECTION.callbackSucceeded}
    where o.id = any(${orderIds})
    order by o.id`);
}

export type NoLossKind = (typeof NO_LOSS_KINDS)[number];
export type Holder = 'platform' | 'merchant' | 'desk' | 'superAdmin' | 'nobody';

export interface Why {
  readonly kind: NoLossKind;
  readonly holder: Holder;
}

/** Why an order is open, and who must act. Undefined when the order is at its end. The first broken link counts. */
export function whyOpen(standing: Standing): Why | undefined {
  if (!standing.evidence) return { kind: 'noEvidence', holder: 'superAdmin' };
  if (standing.credited === null) return { kind: 'notCredited', holder: 'superAdmin' };
  if (standing.credited !== standing.received) return { kind: 'creditDiffers', holder: 'superAdmin' };
  if (standing.acknowledged) return undefined;
  if (standing.attempts === null) return { kind: 'noCallback', holder: 'desk' };
  if (standing.waits)
    return standing.attempts === 0
      ? { kind: 'notNotified', holder: 'platform' }
      : { kind: 'notAcknowledged', holder: 'merchant' };
  return { kind: standing.givenUp === 3 ? 'withdrawn' : 'givenUp', holder: 'desk' };
}

/** Whether the merchant was notified at least once, as far as we know. */
export const isNotified = ({ acknowledged, attempts }: Standing): boolean =>
  acknowledged || (attempts ?? 0) > 0;
