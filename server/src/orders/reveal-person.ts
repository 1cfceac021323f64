import type { revealPerson as contract } from '@sangam/contract/endpoints/order.ts';
import { REVEALS_A_DAY } from '@sangam/contract/personal-data.ts';
import type { z } from 'zod';
import { orderScope } from '../collection/actions.ts';
import { directionOf } from '../order-numbers/numbers.ts';
import { payoutScope } from '../payout/actions.ts';
import { audit } from '../platform/audit/record.ts';
import { DAY } from '../platform/clock.ts';
import { type Sql, sql, type Tx } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

type Input = z.output<typeof contract.input>;

const ACTION = 'order.reveal';

const PAYEE: Readonly<Record<Input['field'], Sql>> = {
  userName: sql`o.payee_name`,
  cardNumber: sql`o.payee_account`,
  vpa: sql`o.payee_vpa`,
  usdtAddress: sql`o.payee_address`,
  phone: sql`o.payee_phone`,
};

/**
 * Shows one masked value of an order's payer or payee. An audit row says first who sees which value and why. 404 when the viewer may not
 * see the order or it has no such value; 429 after REVEALS_A_DAY in 24 hours.
 */
export function revealPerson(
  platform: Platform,
  viewer: Viewer,
  { orderCode, field, reason }: Input,
): Promise<{ readonly value: string } | Refusal> {
  return platform.db.tx(async (tx) => {
    const id = BigInt(orderCode);
    const value = await readValue(tx, viewer, id, field);
    if (value === null) return refuse('notFound');
    // One call of a user at a time, so that calls at the same moment do not pass the limit together.
    await tx.query(sql`select pg_advisory_xact_lock(hashtext(${ACTION}), hashint8(${viewer.userId}))`);
    const since = firstIdAt(new Date(platform.clock.now().getTime() - DAY));
    const [shown] = await tx.query<{ count: number }>(sql`
      select count(*)::int as count from audit_log where user_id = ${viewer.userId} and id >= ${since} and action = ${ACTION}`);
    if (shown!.count >= REVEALS_A_DAY) return refuse('tooMany');
    await audit(platform, tx, {
      userId: viewer.userId,
      action: ACTION,
      subject: `order:${id}`,
      after: { field },
      reason,
      ip: viewer.ip,
    });
    return { value };
  });
}

async function readValue(tx: Tx, viewer: Viewer, id: bigint, field: Input['field']): Promise<string | null> {
  const direction = await directionOf(tx, id);
  if (direction === 'in' && field !== 'userName') return null;
  const [row] = await tx.query<{ value: string | null }>(
    direction === 'out'
      ? sql`select ${PAYEE[field]} as value from payout_orders o where o.id = ${id} ${payoutScope(viewer)}`
      : sql`select o.user_name as value from collection_orders o where o.id = ${id} ${orderScope(viewer)}`,
  );
  return row?.value ?? null;
}
