import type { previewSetting } from '@sangam/contract/endpoints/system-config.ts';
import type { z } from 'zod';
import { sameName } from '../../../evidence/matching/decide.ts';
import { sql } from '../../../platform/db/database.ts';
import { SUPPLEMENTED } from '../../../platform/db/statuses.ts';
import type { Platform } from '../../../platform/platform.ts';

type Line = z.input<typeof previewSetting.output>['lines'][number];

/** How many orders have their names compared, the newest first. Code compares them, by the rule that matching uses. */
const MOST = 100_000;

/**
 * Preview of the name check. On: orders that completed automatically although the payer has another name. Off: orders that the check held
 * up.
 */
export async function previewNames(
  { db }: Platform,
  { wanted, since, named }: { readonly wanted: boolean; readonly since: bigint; readonly named: number },
): Promise<Line[]> {
  if (!wanted) {
    const rows = await db.query<{ n: number }>(sql`
      select count(*)::int as n from messages where id >= ${since} and reason = 'nameDiffers'`);
    return [{ key: 'nameWouldPass', count: rows[0]!.n, orders: [] }];
  }
  const rows = await db.query<{ id: bigint; userName: string; payer: string | null }>(sql`
    select o.id, o.user_name as "userName", m.payer from collection_orders o join messages m on m.order_id = o.id
    where o.id >= ${since} and o.user_name is not null and o.supplement_status <> ${SUPPLEMENTED} and m.state = 'matched'
    order by o.id desc limit ${MOST}`);
  const differing = rows.filter(({ userName, payer }) => !sameName(userName, payer));
  return [
    {
      key: 'nameDiffers',
      count: differing.length,
      orders: differing.slice(0, named).map(({ id }) => String(id)),
    },
  ];
}
