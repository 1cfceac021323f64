import type { revealPerson as contract } from '@sangam/contract/endpoints/order.ts';
import type { z } from 'zod';
import { orderScope } from '../collection/actions.ts';
import { directionOf } from '../order-numbers/numbers.ts';
import { payoutScope } from '../payout/actions.ts';
import { recordReveal } from '../platform/audit/reveals.ts';
import { type Sql, sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

type Input = z.output<typeof contract.input>;

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
    const shown = { action: 'order.reveal', subject: `order:${id}`, field, reason } as const;
    return (await recordReveal(platform, tx, viewer, shown)) ?? { value };
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
