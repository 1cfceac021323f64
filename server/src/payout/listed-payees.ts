import { sql, type Tx } from '../platform/db/database.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import type { Party } from '../screening/party.ts';
import { nameScreen } from '../screening/screen.ts';
import type { PayoutOrder } from './order.ts';

type Payee = Pick<PayoutOrder, 'payeeName' | 'payeeAccount' | 'payeeVpa' | 'payeePhone'>;

/** The payee in the form that the lists of names are searched by. */
export function payeeParty({ payeeName, payeeAccount, payeeVpa, payeePhone }: Payee): Party {
  return { name: payeeName, account: payeeAccount, vpa: payeeVpa, phone: payeePhone };
}

/**
 * Returns the locked payouts whose payees are on no list of names. Freezes the others for people to decide: they were created before their
 * payee was listed.
 */
export async function withoutListed<Order extends Payee & { readonly id: bigint }>(
  platform: Platform,
  tx: Tx,
  orders: readonly Order[],
): Promise<Order[]> {
  const names = await nameScreen(platform).ready();
  const { listed = [], clear = [] } = Object.groupBy(orders, (order) =>
    names.hit(payeeParty(order), 'send', `order:${order.id}`) ? 'listed' : 'clear',
  );
  if (listed.length === 0) return clear;
  const ids = listed.map(({ id }) => id);
  await tx.query(sql`update payout_orders set frozen = true where id = any(${ids})`);
  const event = {
    kind: 'frozen',
    from: null,
    to: null,
    actor: SYSTEM,
    reason: 'the payee is on a list of names',
  } as const;
  await writeEvents(
    platform,
    tx,
    ids.map((orderId) => ({ orderId, ...event })),
  );
  return clear;
}
