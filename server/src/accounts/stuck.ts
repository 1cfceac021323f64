import { formatTime } from '@sangam/contract/time.ts';
import { empty, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';
import { accountScope, monitorOnline } from './resource.ts';

interface StuckAccount {
  readonly id: string;
  readonly name: string;
  readonly supplierName: string;
  readonly why: 'offline' | 'frozen';
  readonly lastSeenTime: string | null;
}

/** Receiving accounts that are open but get no orders, because they are silent or (told to staff only) frozen; silent longest first. */
export async function stuckAccounts(
  platform: Platform,
  viewer: Viewer,
  limit: number,
): Promise<StuckAccount[]> {
  const online = monitorOnline(await platform.settings.all(), platform.clock.now());
  const rows = await platform.db.query<{
    id: bigint;
    name: string;
    supplierName: string;
    frozen: boolean;
    lastSeenAt: Date | null;
  }>(sql`
    select a.id, a.bank || ' ' || a.account_tail as name, s.name as "supplierName", a.frozen, m.last_seen_at as "lastSeenAt"
    from accounts a join suppliers s on s.id = a.supplier_id left join monitors m on m.id = a.monitor_id
    where a.direction = 'in' and (${isStaff(viewer) ? sql`a.frozen or` : empty} not ${online}) ${accountScope(viewer)}
      and exists (select from resources r where r.account_id = a.id and r.state = 0)
    order by m.last_seen_at nulls first, a.id limit ${limit}`);
  return rows.map(({ id, frozen, lastSeenAt, ...row }) => ({
    ...row,
    id: String(id),
    why: frozen && isStaff(viewer) ? 'frozen' : 'offline',
    lastSeenTime: lastSeenAt && formatTime(lastSeenAt),
  }));
}
