import type { getHome } from '@sangam/contract/endpoints/home.ts';
import type { z } from 'zod';
import { countAccountsOf } from '../../accounts/detail.ts';
import { ownerBalances } from '../../ledger/balances.ts';
import { countPayoutsOf } from '../../payout/count-waiting.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { teamOf, type Viewer } from '../../platform/viewer.ts';
import { readEarned } from './read-earned.ts';

type Team = z.input<typeof getHome.output>['team'];

const MOST_MEMBERS = 20;

/** How the suppliers below a supplier are doing, on all levels, and what it earns on them. Null when there are none. */
export async function readTeam(platform: Platform, viewer: Viewer): Promise<Team> {
  if (viewer.role !== 'supplier' || viewer.supplierId === null) return null;
  const members = await platform.db.query<{ id: bigint; name: string; total: number }>(sql`
    select s.id, s.name, (count(*) over ())::int as total from suppliers s join users u on u.id = s.user_id
    where s.id in ${teamOf(viewer.supplierId)} and u.deleted_at is null order by s.name, s.id limit ${MOST_MEMBERS}`);
  if (members.length === 0) return null;
  const ids = members.map(({ id }) => id);
  const [balancesOf, accounts, payouts, earned] = await Promise.all([
    ownerBalances(platform.db, 'supplier', ids),
    countAccountsOf(platform, ids),
    countPayoutsOf(platform, ids),
    readEarned(platform, viewer.supplierId),
  ]);
  const list = members.map(({ id, name }) => {
    const counts = accounts.find((each) => each.id === id);
    const waiting = payouts.find((each) => each.id === id)!;
    return {
      supplierId: String(id),
      name,
      deposits: balancesOf(id)
        .filter(({ bucket }) => bucket === 'deposit')
        .map(({ currency, balance }) => ({ currency, balance })),
      accounts: counts?.accounts ?? 0,
      open: counts?.open ?? 0,
      online: counts?.online ?? 0,
      payoutsWaiting: waiting.payoutsWaiting,
      payoutsClaimed: waiting.payoutsClaimed,
    };
  });
  return { total: members[0]!.total, list, earned };
}
