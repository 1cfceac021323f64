import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { CollectionOrderFilters, CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import { isReadOnly } from '@sangam/contract/screens.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useViewer } from '../session/viewer.ts';
import type { PageProps } from '../shell/page-props.ts';
import { useTitles } from '../shell/use-titles.ts';
import { useOrderActions } from './order-actions.tsx';
import { useOrderColumns } from './order-columns.tsx';
import { OrderDrawer } from './order-drawer.tsx';
import { useOrderFilters } from './order-filters.ts';
import { orderSight } from './order-sight.ts';
import { StatusCards } from './status-cards.tsx';

/** Collection orders for everybody: admin, customer service, supplier, team and merchant. */
export function CollectionOrdersScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const viewer = useViewer();
  const sight = orderSight(viewer, screen);
  const actions = useOrderActions();
  const definition: ListDefinition<CollectionOrderRow, CollectionOrderFilters> = {
    name: `collectionOrders.${screen.variant}`,
    title: title(screen),
    call: endpoints.order.getList,
    ...(screen.variant === 'team' ? { fixed: { scope: 'team' } } : {}),
    keyOf: (order) => order.id,
    openKeyOf: (order) => order.orderCode,
    filters: useOrderFilters(sight),
    columns: useOrderColumns(sight),
    Cards: StatusCards,
    cardsFilter: 'orderStatusId',
    ...(isReadOnly(viewer.access, screen) ? {} : { actionsOf: actions.of }),
    drawer: (orderCode, close) => (
      <OrderDrawer orderCode={orderCode} sight={sight} actions={actions} onClose={close} />
    ),
    emptyText: t('orders.empty'),
  };
  return (
    <>
      <ListScreen definition={definition} />
      {actions.dialogs}
    </>
  );
}
