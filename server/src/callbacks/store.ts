import type { SignType } from '@sangam/contract/signature.ts';
import { type Database, type Tx, sql } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import type { AttemptResult } from './send.ts';

/** An outbox row this node has leased. */
export interface ClaimedCallback {
  readonly id: bigint;
  readonly orderId: bigint;
  readonly merchantId: bigint;
  readonly kind: 'paid' | 'manual' | 'timeout' | 'reversed' | 'payout';
  readonly url: string;
  readonly transport: 'json' | 'form' | 'query';
  readonly fields: Readonly<Record<string, string>>;
  /** Attempts made before this one. */
  readonly attempts: number;
  readonly signType: SignType;
  readonly secret: Buffer;
}

/**
 * Leases due callbacks: a few per merchant, so that one with a long backlog leaves room for the others, never two of
 * one order at once (in order per order), none of merchants that already hold all their places on this node.
 */
export function claimCallbacks(
  db: Database,
  now: Date,
  limits: { readonly total: number; readonly perMerchant: number; readonly leaseMs: number },
  busyMerchants: readonly bigint[],
): Promise<ClaimedCallback[]> {
  return db.query<ClaimedCallback>(sql`
    with due as (
      select d.id from (
        select distinct merchant_id from callbacks
        where state = 0 and next_at <= ${now} and merchant_id <> all(${busyMerchants}::bigint[])
      ) m cross join lateral (
        select c.id from callbacks c
        where c.merchant_id = m.merchant_id and c.state = 0 and c.next_at <= ${now}
          and (c.leased_until is null or c.leased_until < ${now})
          and not exists (select 1 from callbacks e where e.order_id = c.order_id and e.id < c.id and e.state = 0)
        order by c.next_at limit ${limits.perMerchant} for update skip locked
      ) d limit ${limits.total}
    )
    update callbacks c set leased_until = ${new Date(now.getTime() + limits.leaseMs)}
    from due, merchants m where c.id = due.id and m.id = c.merchant_id
    returning c.id, c.order_id as "orderId", c.merchant_id as "merchantId", c.kind, c.url, c.transport, c.fields, c.attempts,
      m.sign_type as "signType", m.secret`);
}

export async function recordAttempt(
  platform: Platform,
  tx: Tx,
  callback: ClaimedCallback,
  attempt: AttemptResult,
  next: { readonly state: 0 | 1 | 2; readonly at: Date },
): Promise<void> {
  const now = platform.clock.now();
  await tx.query(sql`
    insert into callback_attempts (id, callback_id, order_id, url, http_method, request, status, answer, error, duration_ms, created_at)
    values (${platform.ids.next()}, ${callback.id}, ${callback.orderId}, ${callback.url}, ${attempt.httpMethod},
      ${attempt.request}, ${attempt.status}, ${attempt.answer}, ${attempt.error}, ${attempt.durationMs}, ${now})`);
  await tx.query(sql`
    update callbacks set state = ${next.state}, attempts = attempts + 1, next_at = ${next.at}, leased_until = null
    where id = ${callback.id}`);
}
