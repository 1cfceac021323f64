import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { CollectionOrderFilters, CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import { isReadOnly } from '@sangam/contract/screens.ts';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import type { CardsProps, ListDefinition, TotalsProps } from '../operator-table/list-definition.ts';
import { LINK_PARAMS } from '../operator-table/list-links.ts';
import type { FilterName } from '../operator-table/list-state.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { orderVisibility, type OrderVisibility } from '../orders/order-visibility.ts';
import { OrderTotals } from '../orders/order-totals.tsx';
import { StatusCards } from '../orders/status-cards.tsx';
import { useBulkActions } from '../orders/use-bulk-actions.tsx';
import { useOrderColumns } from '../orders/use-order-columns.tsx';
import { choiceOf } from '../orders/choice-of.ts';
import { useOrderFilters } from '../orders/use-order-filters.ts';
import { useViewer } from '../session/viewer.ts';
import { lazyPart } from '../navigation/lazy-part.tsx';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { useCollectionActions } from './collection-actions.tsx';
import { COLLECTION_STATUSES } from './collection-status.ts';

const CollectionDrawer = lazyPart(async () => (await import('./collection-drawer.tsx')).CollectionDrawer);

function useFilters(visibility: OrderVisibility) {
  const { t } = useTranslation();
  return useOrderFilters<FilterName<CollectionOrderFilters>>(visibility, COLLECTION_STATUSES, 'in', [
    { name: 'currentReceivedMoney', param: 'r', kind: 'amount', label: t('orders.received') },
    {
      name: 'source',
      param: LINK_PARAMS.collectionOrders.source,
      kind: 'text',
      label: t('orders.sourceCell'),
      shown: visibility.origin,
    },
    choiceOf({ name: 'supplementStatus', param: 'ss', label: t('orders.supplementStatus') }, [
      ['1', t('orders.supplemented')],
      ['0', t('orders.notSupplemented')],
    ]),
    choiceOf({ name: 'supplementType', param: 'st', label: t('orders.supplementType') }, [
      ['0', t('orders.supplementOwn')],
      ['1', t('orders.supplementOffset')],
    ]),
    {
      name: 'cardNumber',
      param: 'cn',
      kind: 'text',
      label: t('orders.accountNumber'),
      shown: visibility.accounts,
    },
    {
      name: 'resourceId',
      param: LINK_PARAMS.collectionOrders.resourceId,
      kind: 'digits',
      label: t('orders.accountId'),
      shown: visibility.accounts,
    },
    { name: 'ifscCode', param: 'if', kind: 'text', label: 'IFSC', shown: visibility.accounts },
    {
      name: 'usdtAddress',
      param: 'ua',
      kind: 'text',
      label: t('orders.receivingAddress'),
      shown: visibility.accounts,
    },
    { name: 'identifyCode', param: 'ic', kind: 'text', label: t('orders.identifyCode') },
    { name: 'userName', param: 'un', kind: 'text', label: t('orders.userName'), shown: visibility.payers },
    {
      name: 'validateUserName',
      param: 'wn',
      kind: 'text',
      label: t('orders.wholeUserName'),
      shown: visibility.customers,
    },
    {
      name: 'description',
      param: 'd',
      kind: 'text',
      label: t('orders.description'),
      shown: visibility.merchants,
    },
  ]);
}

function useColumns(visibility: OrderVisibility) {
  const { t } = useTranslation();
  return useOrderColumns<CollectionOrderRow>(visibility, COLLECTION_STATUSES, {
    afterAmount: [
      {
        key: 'payable',
        field: 'payableAmount',
        title: t('orders.payable'),
        align: 'right',
        render: (order) => <Money minor={order.payableAmount} currency={order.currency} />,
      },
      {
        key: 'received',
        field: 'currentReceivedMoney',
        title: t('orders.received'),
        align: 'right',
        render: (order) => <Money minor={order.currentReceivedMoney} currency={order.currency} />,
      },
    ],
    afterSupplier: [
      {
        key: 'account',
        field: 'accountName',
        title: t('orders.account'),
        shown: visibility.accounts,
        render: (order) => order.accountName ?? '–',
      },
    ],
    last: [
      {
        key: 'payTime',
        title: t('orders.payTime'),
        render: (order) => <Moment time={order.payTime} />,
      },
      {
        key: 'identifyCode',
        title: t('orders.identifyCode'),
        optional: true,
        render: (order) => <Copyable text={order.identifyCode} />,
      },
      {
        key: 'userName',
        title: t('orders.userName'),
        // Hidden at first: an export has the columns shown, and a long export with names of persons waits for a second person.
        optional: true,
        render: (order) => order.userName ?? '–',
      },
    ],
  });
}

/** The list of collection orders for every role: staff, supplier, agent (team orders) and merchant. */
export function CollectionOrdersScreen({ screen, orderCode: only }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const viewer = useViewer();
  const visibility = orderVisibility(viewer, screen);
  const actions = useCollectionActions();
  const bulk = useBulkActions<CollectionOrderRow>({ unlock: false });
  const definition: ListDefinition<CollectionOrderRow, CollectionOrderFilters> = {
    name: 'collectionOrders',
    title: title(screen),
    call: endpoints.order.getList,
    ...(screen.variant === 'team' ? { fixed: { scope: 'team' } } : {}),
    keyOf: (order) => order.id,
    changes: 'ordersIn',
    openKeyOf: (order) => order.orderCode,
    filters: useFilters(visibility),
    columns: useColumns(visibility),
    Cards: CollectionCards,
    Totals: CollectionTotals,
    amountOf: ({ amount, currency }) => ({ minor: amount, currency }),
    cardsFilter: 'orderStatusId',
    ...(isReadOnly(viewer.access, screen) ? {} : { actionsOf: actions.of, bulk }),
    drawer: (orderCode, close) => (
      <CollectionDrawer orderCode={orderCode} visibility={visibility} actions={actions} onClose={close} />
    ),
    emptyText: t('orders.empty'),
  };
  return (
    <>
      {only === undefined ? (
        <ListScreen definition={definition} />
      ) : (
        <CollectionDrawer orderCode={only} visibility={visibility} actions={actions} />
      )}
      {actions.dialogs}
    </>
  );
}

function CollectionCards(props: CardsProps<CollectionOrderFilters>) {
  return <StatusCards {...props} call={endpoints.order.getStatusSummary} statuses={COLLECTION_STATUSES} />;
}

function CollectionTotals(props: TotalsProps<CollectionOrderFilters>) {
  return <OrderTotals {...props} call={endpoints.order.getStatusSummary} />;
}
