import type { getHome } from '@sangam/contract/endpoints/home.ts';
import type { z } from 'zod';
import { countResources } from '../../accounts/detail.ts';
import { ownerBalances } from '../../ledger/balances.ts';
import { countWaitingPayouts } from '../../payout/count-waiting.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { teamOf, type Viewer } from '../../platform/viewer.ts';

type Team = z.input<typeof getHome.output>['team'];

const MOST_MEMBERS = 20;

/** How the suppliers below a supplier fare, all levels; null where there are none. */
export async function readTeam(platform: Platform, viewer: Viewer): Promise<Team> {
  if (viewer.role !== 'supplier' || viewer.supplierId === null) return null;
  const members = await platform.db.query<{ id: bigint; name: string; total: number }>(sql`
    select s.id, s.name, (count(*) over ())::int as total from suppliers s join users u on u.id = s.user_id
    where s.id in ${teamOf(viewer.supplierId)} and u.deleted_at is null order by s.name, s.id limit ${MOST_MEMBERS}`);
  if (members.length === 0) return null;
  const balancesOf = await ownerBalances(
    platform.db,
    'supplier',
    members.map(({ id }) => id),
  );
  const list: NonNullable<Team>['list'] = [];
  // One member after another: all at once would take every connection of the node.
  for (const { id, name } of members) {
    // As the member itself would be told.
    const member = { ...viewer, supplierId: id };
    const [accounts, payoutsWaiting, payoutsClaimed] = await Promise.all([
      countResources(platform, member, { supplierId: undefined, productId: undefined }),
      countWaitingPayouts(platform, member, 'payoutsWaiting'),
      countWaitingPayouts(platform, member, 'payoutsClaimed'),
    ]);
    list.push({
      supplierId: String(id),
      name,
      deposits: balancesOf(id)
        .filter(({ bucket }) => bucket === 'deposit')
        .map(({ currency, balance }) => ({ currency, balance })),
      accounts: accounts.total,
      open: accounts.enabled,
      online: accounts.online,
      payoutsWaiting,
      payoutsClaimed,
    });
  }
  return { total: members[0]!.total, list };
}
