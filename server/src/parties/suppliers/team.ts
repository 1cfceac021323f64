import type { z } from 'zod';
import type { getSupplierProxyList } from '@sangam/contract/endpoints/merchant.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { accountCounts } from '../../accounts/counts.ts';
import { ordersToday } from '../../collection/today.ts';
import { empty, sql } from '../../platform/db/database.ts';
import { readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal } from '../../platform/refusal.ts';
import { MOST_AGENT_LEVELS, type Viewer, isStaff } from '../../platform/viewer.ts';

interface Row {
  readonly id: bigint;
  readonly name: string;
  readonly account: string;
  readonly enabled: boolean;
  readonly agentId: bigint;
  readonly agentName: string;
  readonly level: number;
  readonly createdAt: Date;
}

/** The suppliers below an agent, on all levels. Staff who name no agent see every supplier that has one, with its level. */
export async function listTeam(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getSupplierProxyList.input>,
): Promise<z.input<typeof getSupplierProxyList.output> | Refusal> {
  const agentId = isStaff(viewer) ? input.agentId : String(viewer.supplierId ?? 0n);
  const top = agentId === undefined ? sql`a.agent_id is null` : sql`a.id = ${BigInt(agentId)}`;
  const name = input.name?.toLowerCase();
  const page = await readPage<Row>(platform, input, {
    columns: sql`s.id, s.name, u.account, s.enabled, s.agent_id as "agentId", g.name as "agentName", t.level,
      s.created_at as "createdAt"`,
    from: sql`
      from (
        with recursive team (id, level) as (
          select s.id, 1 from suppliers s join suppliers a on a.id = s.agent_id where ${top}
          union all
          select s.id, t.level + 1 from suppliers s join team t on s.agent_id = t.id where t.level < ${MOST_AGENT_LEVELS}
        ) select id, level from team
      ) t
      join suppliers s on s.id = t.id join users u on u.id = s.user_id join suppliers g on g.id = s.agent_id
      where u.deleted_at is null
      ${name ? sql`and (strpos(lower(s.name), ${name}) > 0 or strpos(lower(u.account), ${name}) > 0)` : empty}`,
    key: sql`s.id`,
  });
  if (isRefusal(page)) return page;
  const ids = page.list.map((row) => row.id);
  const [counts, today] = await Promise.all([
    accountCounts(platform.db, ids),
    ordersToday(platform.db, 'supplier', ids, platform.clock.now()),
  ]);
  return {
    ...page,
    list: page.list.map(({ id, agentId: above, createdAt, ...row }) => ({
      ...row,
      id: String(id),
      agentId: String(above),
      createTime: formatTime(createdAt),
      accountCount: counts(id).accounts,
      enabledAccountCount: counts(id).enabled,
      todayOrders: today(id).orders,
      todayPaid: today(id).paid,
    })),
  };
}
