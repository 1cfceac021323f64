import type { Currency } from '@sangam/contract/money.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';

/**
 * Counts an amount (minor units) that a user of the staff is about to move on its own word, with no message that bears it out.
 * False, and nothing counted, when the day's sum would pass the setting UnprovenDayLimit: then a second person has to agree. Two
 * calls of one user wait for each other, so a sum that is split does not pass.
 */
export async function countOwnWord(
  platform: Platform,
  tx: Tx,
  { userId }: Viewer,
  { currency, amount }: { readonly currency: Currency; readonly amount: bigint },
): Promise<boolean> {
  const { UnprovenDayLimit } = await platform.settings.all();
  const limit = BigInt(UnprovenDayLimit[currency]);
  if (amount > limit) return false;
  const counted = await tx.query(sql`
    insert into own_word_days as d (user_id, day, currency, amount)
    values (${userId}, ${businessDay(platform.clock.now())}, ${currency}, ${amount})
    on conflict (user_id, day, currency) do update set amount = d.amount + excluded.amount
      where d.amount + excluded.amount <= ${limit}
    returning 1`);
  return counted.length > 0;
}
