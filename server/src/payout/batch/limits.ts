import { businessDay } from '@sangam/contract/time.ts';
import { type Sql, type Tx, sql } from '../../platform/db/database.ts';
import { fitsARoom, roomsOf, takeRoom } from '../account-room.ts';
import type { PayoutOrder } from '../order.ts';
import { fitIn, supplierDays, type SupplierDays } from '../supplier-days.ts';
import type { Platform } from '../../platform/platform.ts';
import type { BatchAccount } from './select.ts';

interface DayLimits {
  readonly days: SupplierDays;
  /** SQL condition: the account takes the payout (alias `o`) and has room for it by itself. */
  readonly fits: Sql;
  take(order: PayoutOrder): boolean;
}

/**
 * What the day leaves of the account's own limits and of its supplier's terms; `take` lets one payout after the other count, in
 * memory, and says whether it still fits.
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
      // The account is asked on a copy: what the supplier's terms refuse has used nothing of it.
      if (!takeRoom([{ ...open }], order) || fitIn(days, order)) return false;
      return takeRoom([open], order) !== undefined;
    },
  };
}
