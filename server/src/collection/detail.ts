import type { getDetail, getOrderAllocateInfo } from '@sangam/contract/endpoints/order.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { sql } from '../platform/db/database.ts';
import { readStory } from '../timeline/story.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';
import { orderScope } from './actions.ts';
import { lastAllocation } from './allocation-runs.ts';
import { payUrlOf } from './pay-params.ts';
import { countPictures } from './picture-store.ts';
import { NAMED_COLUMNS, NAMED_JOINS, orderRow, type NamedOrder } from './row.ts';

type Detail = z.input<typeof getDetail.output>;

/** The order, if this viewer may see it: an own order, or an order of an agent's team. */
export async function visibleOrder(
  platform: Platform,
  viewer: Viewer,
  orderId: bigint,
): Promise<NamedOrder | undefined> {
  const read = async (scope: 'own' | 'team') =>
    (
      await platform.db.query<NamedOrder>(sql`
        select ${NAMED_COLUMNS} from collection_orders o ${NAMED_JOINS} where o.id = ${orderId} ${orderScope(viewer, scope)}`)
    )[0];
  return (await read('own')) ?? (viewer.role === 'supplier' ? read('team') : undefined);
}

/** One order with its whole story, reduced to what the viewer may see. */
export async function orderDetail(
  platform: Platform,
  viewer: Viewer,
  orderId: bigint,
): Promise<Detail | Refusal> {
  const order = await visibleOrder(platform, viewer, orderId);
  if (!order) return refuse('notFound');
  const staff = isStaff(viewer);
  const merchantSide = staff || viewer.role === 'merchant';
  const [settings, pictures, story] = await Promise.all([
    platform.settings.all(),
    seesWhole(viewer, 'paymentPicture') ? countPictures(platform.db, orderId) : 0,
    readStory(platform, viewer, orderId),
  ]);
  return {
    order: {
      ...orderRow(order, viewer, settings),
      subject: order.subject,
      body: order.body,
      notifyUrl: merchantSide ? order.notifyUrl : null,
      returnUrl: merchantSide ? order.returnUrl : null,
      param1: merchantSide ? order.param1 : null,
      param2: merchantSide ? order.param2 : null,
      payerUtr: order.payerUtr,
      pictures,
      payUrl: merchantSide ? await payUrlOf(platform, order) : null,
    },
    ...story,
  };
}

/** Every candidate of the order's last allocation, with the rule that refused it. */
export async function allocationOf(
  platform: Platform,
  viewer: Viewer,
  orderId: bigint,
): Promise<z.input<typeof getOrderAllocateInfo.output> | Refusal> {
  if (!(await visibleOrder(platform, viewer, orderId))) return refuse('notFound');
  const last = await lastAllocation(platform.db, orderId);
  return {
    time: last ? formatTime(last.createdAt) : null,
    candidates: (last?.candidates ?? []).map(({ accountId, ...rest }) => ({
      resourceId: accountId,
      ...rest,
    })),
  };
}
