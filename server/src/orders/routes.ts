import {
  addNote as addNoteEndpoint,
  callback,
  getLastOrder,
  getNewOrders,
  getList,
  getOrderStatusList,
  reselect,
  revealPerson as revealPersonEndpoint,
  reverse as reverseEndpoint,
  updateOrderMark,
} from '@sangam/contract/endpoints/order.ts';
import { reject as rejectEndpoint, unlockOrder } from '@sangam/contract/endpoints/payout.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { callBack } from '../collection/call-back.ts';
import { lastOrder, newOrders } from '../collection/last-order.ts';
import { listOrders } from '../collection/list.ts';
import { updateMark } from '../collection/mark.ts';
import { reselect as reselectAccount } from '../collection/reselect.ts';
import { refusalAnswer, successAnswer } from '../http/envelope.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { directionOf } from '../order-numbers/numbers.ts';
import { callBackPayout } from '../payout/call-back.ts';
import { lastPayout, listPayouts } from '../payout/list.ts';
import { markPayout } from '../payout/mark.ts';
import { reject } from '../payout/reject.ts';
import { reselectPayout } from '../payout/reselect.ts';
import { unlock } from '../payout/unlock.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import { addNote } from './add-note.ts';
import { revealPerson } from './reveal-person.ts';
import { reverse } from './reverse.ts';
import { TEXTS } from '../platform/texts.ts';
import type { Viewer } from '../platform/viewer.ts';

type Command<Order> = (platform: Platform, viewer: Viewer, order: ChosenOrder) => Promise<Order | Refusal>;
interface Done {
  readonly id: bigint;
  readonly status: number;
}

const chosenOf = ({
  orderCode,
  version,
}: {
  readonly orderCode: string;
  readonly version?: string | undefined;
}) => ({
  orderId: BigInt(orderCode),
  version,
});

/** Runs an action that both directions have, by the direction of the order code. */
async function byDirection(
  platform: Platform,
  viewer: Viewer,
  { orderCode, version }: { readonly orderCode: string; readonly version?: string | undefined },
  commands: { readonly in: Command<Done>; readonly out: Command<Done> },
) {
  const orderId = BigInt(orderCode);
  const direction = await directionOf(platform.db, orderId);
  if (!direction) return refuse('notFound');
  return done(await commands[direction](platform, viewer, { orderId, version }));
}

/** Unlocking a collection order is refused: no automatic process locks collection orders. */
const notLocked: Command<Done> = () => Promise.resolve(refuse('actionNotAllowed'));

function done<Order extends Done>(order: Order | Refusal) {
  return isRefusal(order)
    ? order
    : { orderCode: String(order.id), orderStatusId: order.status as Order['status'] };
}

/** Console calls that serve orders of both directions under one path. */
export const ordersRoutes: readonly Route[] = [
  viewerRoute(getList, (platform, viewer, input) => {
    if (input.orderType !== 1) return listOrders(platform, viewer, input);
    const orderStatusId =
      input.orderStatusId ?? (input.payoutStatus === undefined ? undefined : String(input.payoutStatus));
    // The contract types this path's rows as collection rows; its schema takes both.
    return listPayouts(platform, viewer, { ...input, orderStatusId }) as never;
  }),
  viewerRoute(getLastOrder, (platform, viewer, input) =>
    (input.orderType === 1 ? lastPayout : lastOrder)(platform, viewer),
  ),
  viewerRoute(getNewOrders, newOrders),
  viewerRoute(getOrderStatusList, async (_platform, viewer, input) => ({
    list: input.orderType === 1 ? payoutStatuses(viewer.locale) : collectionStatuses(viewer.locale),
  })),
  viewerRoute(reselect, (platform, viewer, input) =>
    byDirection(platform, viewer, input, { in: reselectAccount, out: reselectPayout }),
  ),
  viewerRoute(callback, (platform, viewer, input) =>
    byDirection(platform, viewer, input, {
      in: (_platform, _viewer, { orderId }) => callBack(platform, viewer, orderId),
      out: (_platform, _viewer, { orderId }) => callBackPayout(platform, viewer, orderId),
    }),
  ),
  viewerRoute(reverseEndpoint, (platform, viewer, input) =>
    reverse(platform, viewer, { ...chosenOf(input), reason: input.reason }),
  ),
  viewerRoute(addNoteEndpoint, addNote),
  viewerRoute(revealPersonEndpoint, revealPerson),
  viewerRoute(updateOrderMark, (platform, viewer, { id, orderMark: mark, reason }) => {
    const by =
      (command: typeof updateMark | typeof markPayout): Command<Done> =>
      (_platform, _viewer, { orderId }) =>
        command(platform, viewer, { orderId, mark, reason });
    return byDirection(platform, viewer, { orderCode: id }, { in: by(updateMark), out: by(markPayout) });
  }),
  viewerRoute(rejectEndpoint, async (platform, viewer, input) =>
    done(await reject(platform, viewer, { ...chosenOf(input), reason: input.rejectReason })),
  ),
  viewerRoute(unlockOrder, async (platform, viewer, input) => {
    const list = [];
    // One transaction each, so that the refusal of one order does not stop the others.
    for (const orderCode of input.orderCodes) {
      const result = await byDirection(
        platform,
        viewer,
        { orderCode },
        { in: notLocked, out: (_platform, _viewer, { orderId }) => unlock(platform, viewer, orderId) },
      );
      const { code, msg } = (
        isRefusal(result) ? refusalAnswer(result, viewer.locale) : successAnswer({}, viewer.locale)
      ).body;
      list.push({ orderCode, code, msg });
    }
    return { list };
  }),
];

function collectionStatuses(locale: Locale) {
  return Object.values(COLLECTION_STATUS).map((id) => ({ id, name: TEXTS[locale].collectionStatus[id] }));
}

function payoutStatuses(locale: Locale) {
  return Object.values(PAYOUT_STATUS).map((id) => ({ id, name: TEXTS[locale].payoutStatus[id] }));
}
