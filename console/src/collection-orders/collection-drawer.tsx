import { endpoints } from 'virtual:endpoints';
import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import { useCall } from '../http/use-call.ts';
import { OrderDrawer, STORY_MS } from '../orders/order-drawer.tsx';
import { collectionReply } from '../orders/replies.ts';
import type { OrderVisibility } from '../orders/order-visibility.ts';
import type { OrderActions } from '../orders/use-order-actions.tsx';
import { COLLECTION_STATUSES } from './collection-status.ts';
import { OrderAllocation } from './order-allocation.tsx';
import { OrderFacts } from './order-facts.tsx';
import { OrderPictures } from './order-pictures.tsx';

interface CollectionDrawerProps {
  readonly orderCode: string;
  readonly visibility: OrderVisibility;
  readonly actions: OrderActions<CollectionOrderRow>;
  /** Absent where the order has a tab of its own. */
  readonly onClose?: (() => void) | undefined;
}

export function CollectionDrawer({ orderCode, visibility, actions, onClose }: CollectionDrawerProps) {
  const detail = useCall(endpoints.order.getDetail, { orderCode }, { everyMs: STORY_MS });
  return (
    <OrderDrawer
      orderCode={orderCode}
      detail={detail}
      statuses={COLLECTION_STATUSES}
      visibility={visibility}
      actions={actions}
      amountOf={(order) => order.currentReceivedMoney ?? order.payableAmount ?? order.amount}
      replyOf={collectionReply}
      facts={(order) => <OrderFacts order={order} visibility={visibility} />}
      more={
        <>
          <OrderPictures orderCode={orderCode} count={detail.data?.order.pictures ?? 0} />
          {visibility.allocation && <OrderAllocation orderCode={orderCode} />}
        </>
      }
      onClose={onClose}
    />
  );
}
