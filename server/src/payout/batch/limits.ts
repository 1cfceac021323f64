import { businessDay } from '@sangam/contract/time.ts';
import { type Sql, type Tx, sql } from '../../platform/db/database.ts';
import { fitsARoom, roomsOf, takeRoom } from '../account-room.ts';
import type { PayoutOrder } from '../order.ts';
import { fitIn, supplierDays, type SupplierDays } from '../supplier-days.ts';
import type { Platform } from '../../platform/platform.ts';
import type { BatchAccount } from './select.ts';

interface DayLimits {
  readonly days: SupplierDays;
  /** SQL condition: the account may pay the payout (alias `o`) and has room for it by itself. */
  readonly fits: Sql;
  take(order: PayoutOrder): boolean;
}

/**
 * What the daily limits of the account and of its supplier's terms leave. `take` counts one payout after the other in memory, and returns
 * whether the payout still fits.
 */
export async function dayLimits(platform: Platform, tx: Tx, account: BatchAccount): Promise<DayLimits> {
  const now = platform.clock.now();
  const rooms = await roomsOf(tx, [account], businessDay(now), await platform.settings.all());
  const days = await supplierDays(tx, account.supplierId, account.products, now);
  const open = { ...rooms[0]! };
  return {
    days,
    fits: fitsARoom(rooms) ?? sql`false`,
    take(order) {
      // The account's room is tried on a copy: a payout that the supplier's terms refuse uses none of it.
      if (!takeRoom([{ ...open }], order) || fitIn(days, order)) return false;
      return takeRoom([open], order) !== undefined;
    },
  };
}
