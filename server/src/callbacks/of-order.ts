import { type Queryable, sql } from '../platform/db/database.ts';
import { ATTEMPTS, STATE, WAITING } from './state.ts';
import { type KeptRequest, type Notice, requestOf } from './request.ts';
import { lowestIdAfter } from '../platform/db/ids.ts';

export interface CallbackView {
  readonly id: bigint;
  readonly kind: 'paid' | 'manual' | 'timeout' | 'reversed' | 'payout';
  readonly state: 0 | 1 | 2 | 3;
  readonly attempts: number;
  /** Null when it no longer waits. */
  readonly nextAt: Date | null;
  readonly createdAt: Date;
}

export interface AttemptView {
  readonly id: bigint;
  readonly callbackId: bigint;
  readonly url: string;
  readonly httpMethod: string;
  readonly request: string;
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly createdAt: Date;
}

/** The callbacks of an order with all their attempts, oldest first. */
export async function callbacksOfOrder(
  db: Queryable,
  orderId: bigint,
): Promise<{ callbacks: CallbackView[]; attempts: AttemptView[] }> {
  const callbacks = await db.query<CallbackView & Notice>(sql`
    select c.id, c.kind, ${STATE} as state, ${ATTEMPTS} as attempts, q.next_at as "nextAt", c.created_at as "createdAt", c.url,
      c.transport, c.fields
    from callbacks c ${WAITING} where c.order_id = ${orderId} order by c.place`);
  const rows = await db.query<Omit<AttemptView, 'request'> & KeptRequest>(sql`
    select id, callback_id as "callbackId", url, http_method as "httpMethod", request, signed, status, answer, error,
      duration_ms as "durationMs", created_at as "createdAt"
    from callback_attempts where callback_id = any(${callbacks.map((row) => row.id)}) and id > ${lowestIdAfter(orderId)} order by id`);
  const notices = new Map(callbacks.map((callback) => [callback.id, callback]));
  const attempts = rows.map(({ request, signed, ...row }) => ({
    ...row,
    request: requestOf({ request, signed }, notices.get(row.callbackId)!),
  }));
  return { callbacks, attempts };
}
