import type { Currency } from '@sangam/contract/money.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

/**
 * Counts an amount (minor units) that staff are about to move on their own word, without a message that confirms it. The whole
 * amount counts for each of the users. Answers false and counts nothing when one user's sum of the day would pass setting
 * UnprovenDayLimit; then a second person has to agree. Calls of one user wait for each other, so that parallel parts of a split
 * sum are all counted.
 */
export async function countOwnWord(
  platform: Platform,
  tx: Tx,
  userIds: readonly bigint[],
  { currency, amount }: { readonly currency: Currency; readonly amount: bigint },
): Promise<boolean> {
  const { UnprovenDayLimit } = await platform.settings.all();
  const limit = BigInt(UnprovenDayLimit[currency]);
  if (amount > limit) return false;
  const users = [...new Set(userIds)].toSorted((a, b) => (a < b ? -1 : 1));
  const day = businessDay(platform.clock.now());
  const counted = await tx.query<{ userId: bigint }>(sql`
    insert into own_word_days as d (user_id, day, currency, amount)
    select u, ${day}, ${currency}, ${amount} from unnest(${users}::bigint[]) u
    on conflict (user_id, day, currency) do update set amount = d.amount + excluded.amount
      where d.amount + excluded.amount <= ${limit}
    returning user_id as "userId"`);
  if (counted.length === users.length) return true;
  await tx.query(sql`
    update own_word_days set amount = amount - ${amount}
    where user_id = any(${counted.map(({ userId }) => userId)}) and day = ${day} and currency = ${currency}`);
  return false;
}
