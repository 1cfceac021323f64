import type { PayoutChannels } from '../channels/payout-channel.ts';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

const EVERY = 5 * MINUTE;
const BATCH = 32;

/**
 * Asks gateways, every five minutes and by one node, for the money of each account that is open for payouts. An answer that does not
 * come leaves the one before. Returns how many accounts were asked about.
 */
export async function askBalances(platform: Platform, channels: PayoutChannels): Promise<number> {
  let asked = 0;
  for (const [productId, { balanceOf }] of channels) {
    if (!balanceOf) continue;
    const accountIds = await takeDue(platform, productId);
    await Promise.all(accountIds.map((accountId) => ask(platform, accountId, balanceOf)));
    asked += accountIds.length;
  }
  return asked;
}

async function takeDue({ db, clock }: Platform, productId: number): Promise<bigint[]> {
  const now = clock.now();
  const due = new Date(now.getTime() - EVERY);
  const rows = await db.query<{ id: bigint }>(sql`
    insert into gateway_balances as b (account_id, asked_at)
    select a.id, ${now} from accounts a join resources r on r.account_id = a.id and r.product_id = ${productId} and r.state = 0
    where a.direction = 'out' and not a.frozen and a.credentials is not null
      and not exists (select from gateway_balances k where k.account_id = a.id and k.asked_at > ${due})
    order by a.id limit ${BATCH}
    on conflict (account_id) do update set asked_at = excluded.asked_at where b.asked_at <= ${due}
    returning account_id as id`);
  return rows.map(({ id }) => id);
}

async function ask(
  { db, clock, log }: Platform,
  accountId: bigint,
  balanceOf: (accountId: bigint) => Promise<bigint | undefined>,
): Promise<void> {
  try {
    const amount = await balanceOf(accountId);
    if (amount === undefined) return;
    await db.query(sql`
      update gateway_balances set amount = ${amount}, told_at = ${clock.now()} where account_id = ${accountId}`);
  } catch (error) {
    log.warn({ err: error, accountId: String(accountId) }, 'the gateway does not say its balance');
  }
}
