import type { BalanceMode } from '@sangam/contract/chain.ts';
import { type Tx, sql } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { type CheckedCredit, mayComplete } from './hold.ts';
import { isPassed, minuteOf, readChains } from './place.ts';

/** Whether a stored credit or debit may complete an order by itself, as its chain stands now. */
export async function isBorneOut(
  platform: Platform,
  tx: Tx,
  credit: Omit<CheckedCredit, 'isPassed' | 'balanceMode'> & {
    readonly id: bigint;
    readonly accountId: bigint;
  },
): Promise<boolean> {
  const settings = await platform.settings.all();
  const at = platform.clock.now();
  const [row] = await tx.query<{ balanceMode: BalanceMode; minute: number | null }>(sql`
    select a.balance_mode as "balanceMode", n.minute
    from accounts a left join chain_nodes n on n.account_id = a.id and n.id = ${credit.id} where a.id = ${credit.accountId}`);
  const { balanceMode, minute } = row!;
  let passed = false;
  if (minute !== null) {
    const query = { accountId: credit.accountId, minute: Math.min(minute, minuteOf(at)) };
    const chains = await readChains(tx, [query], settings, at);
    passed = isPassed(chains.get(credit.accountId)!, credit.id, settings);
  }
  return mayComplete({ ...credit, balanceMode, isPassed: passed }, settings);
}
