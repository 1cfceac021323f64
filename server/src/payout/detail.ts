import type { getPayoutDetail } from '@sangam/contract/endpoints/payout.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import type { z } from 'zod';
import { sql } from '../platform/db/database.ts';
import { readStory } from '../timeline/story.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';
import { payoutScope } from './actions.ts';
import { waitingHandBacks } from './hand-backs.ts';
import { payingAccount } from './paying.ts';
import { NAMED_COLUMNS, NAMED_JOINS, payoutRow, type NamedPayout } from './row.ts';
import { countSlips } from './slip-store.ts';

/** One payout with its history, as far as the viewer may see it. An agent may also see the payouts of its team. */
export async function payoutDetail(
  platform: Platform,
  viewer: Viewer,
  orderId: bigint,
): Promise<z.input<typeof getPayoutDetail.output> | Refusal> {
  const read = async (scope: 'own' | 'team') =>
    (
      await platform.db.query<NamedPayout>(sql`
        select ${NAMED_COLUMNS} from payout_orders o ${NAMED_JOINS} where o.id = ${orderId} ${payoutScope(viewer, scope)}`)
    )[0];
  const order = (await read('own')) ?? (viewer.role === 'supplier' ? await read('team') : undefined);
  if (!order) return refuse('notFound');
  const staff = isStaff(viewer);
  const merchantSide = staff || viewer.role === 'merchant';
  const isPayers = staff || (viewer.role === 'supplier' && order.supplierId === viewer.supplierId);
  const [story, payer, slips, handBacks] = await Promise.all([
    readStory(platform, viewer, orderId),
    isPayers && order.accountId !== null ? payingAccount(platform.db, order.accountId) : undefined,
    seesWhole(viewer, 'payoutSlip') ? countSlips(platform.db, orderId) : 0,
    waitingHandBacks(platform, viewer, [order]),
  ]);
  return {
    order: {
      ...payoutRow(order, viewer),
      notifyUrl: merchantSide ? order.notifyUrl : null,
      param1: merchantSide ? order.param1 : null,
      param2: merchantSide ? order.param2 : null,
      payingAccount: payer ? { accountId: String(payer.accountId), name: payer.name } : null,
      slips,
      ...(handBacks.has(orderId) && { handBackWaits: true as const }),
    },
    ...story,
  };
}
