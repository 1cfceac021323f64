import { getList } from '@sangam/contract/endpoints/order.ts';
import { getPayoutList } from '@sangam/contract/endpoints/payout.ts';
import { listOrders } from '@sangam/server/collection/list.ts';
import type { Sql } from '@sangam/server/platform/db/database.ts';
import { listPayouts } from '@sangam/server/payout/list.ts';
import type { Platform } from '@sangam/server/platform/platform.ts';
import { viewerOf } from '@sangam/server/testing/world.ts';
import type { Direction, Query } from './queries.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}
const ORDER_PARTITION = /^(?:collection|payout)_orders_\d{6}$/;

/** The partitions that the statements of a list would read from end to end, according to their plans. */
export async function readWhole(platform: Platform, direction: Direction, query: Query): Promise<string[]> {
  const found: string[] = [];
  const explain = async (statement: Sql) => {
    const { rows } = await platform.db.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (format json) ${statement.text}`,
      statement.values,
    );
    const visit = (plan: Plan): void => {
      const relation = plan['Relation Name'] ?? '';
      if (plan['Node Type'] === 'Seq Scan' && ORDER_PARTITION.test(relation)) found.push(relation);
      plan.Plans?.forEach(visit);
    };
    visit(rows[0]!['QUERY PLAN'][0].Plan);
  };
  const explaining: Platform = {
    ...platform,
    db: {
      ...platform.db,
      async query<Row>(statement: Sql): Promise<Row[]> {
        await explain(statement);
        return platform.db.query<Row>(statement);
      },
    },
  };
  const viewer = viewerOf(platform, { role: 'superAdmin' });
  if (direction === 'collections') await listOrders(explaining, viewer, getList.input.parse(query));
  else await listPayouts(explaining, viewer, getPayoutList.input.parse(query));
  return found;
}
