import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { PayoutOrderFilters, PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { isReadOnly } from '@sangam/contract/screens.ts';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import type { CardsProps, ListDefinition, TotalsProps } from '../operator-table/list-definition.ts';
import { LINK_PARAMS } from '../operator-table/list-links.ts';
import type { FilterName } from '../operator-table/list-state.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { orderVisibility, type OrderVisibility } from '../orders/order-visibility.ts';
import { OrderTotals } from '../orders/order-totals.tsx';
import { PAYOUT_STATUSES } from '../orders/payout-status.ts';
import { StatusCards } from '../orders/status-cards.tsx';
import { useBulkActions } from '../orders/use-bulk-actions.tsx';
import { useOrderColumns } from '../orders/use-order-columns.tsx';
import { choiceOf } from '../orders/choice-of.ts';
import { useOrderFilters } from '../orders/use-order-filters.ts';
import { PhoneOffer } from '../parties/phone-offer.tsx';
import { useMayCall } from '../session/may-call.ts';
import { useViewer } from '../session/viewer.ts';
import { lazyPart } from '../navigation/lazy-part.tsx';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { usePayoutActions } from './payout-actions.tsx';
import { UploadTool } from './upload-tool.tsx';

const PayoutDrawer = lazyPart(async () => (await import('./payout-drawer.tsx')).PayoutDrawer);

function useFilters(visibility: OrderVisibility) {
  const { t } = useTranslation();
  return useOrderFilters<FilterName<PayoutOrderFilters>>(visibility, PAYOUT_STATUSES, 'out', [
    { name: 'userName', param: 'un', kind: 'text', label: t('payouts.payeeName'), shown: visibility.payees },
    {
      name: 'validateUserName',
      param: 'wn',
      kind: 'text',
      label: t('payouts.wholePayeeName'),
      shown: visibility.customers,
    },
    {
      name: 'cardNumber',
      param: 'cn',
      kind: 'text',
      label: t('payouts.cardNumber'),
      shown: visibility.payees || visibility.customers,
    },
    { name: 'ifscCode', param: 'if', kind: 'text', label: 'IFSC' },
    {
      name: 'usdtAddress',
      param: 'ua',
      kind: 'text',
      label: t('payouts.usdtAddress'),
      shown: visibility.payees || visibility.customers,
    },
    { name: 'batchId', param: 'bt', kind: 'text', label: t('batches.number') },
    {
      ...choiceOf({ name: 'unproven', param: LINK_PARAMS.payoutOrders.unproven, label: t('payouts.proof') }, [
        ['true', t('payouts.unproven')],
        ['false', t('payouts.proven')],
      ]),
      shown: visibility.proofs,
    },
    {
      ...choiceOf({ name: 'processState', param: 'ps', label: t('payouts.processState') }, [
        ['1', t('payouts.locked')],
        ['0', t('payouts.free')],
      ]),
      shown: visibility.merchants,
    },
  ]);
}

function useColumns(visibility: OrderVisibility) {
  const { t } = useTranslation();
  const whom = (order: PayoutOrderRow) =>
    order.cardNumber ?? order.vpa ?? order.usdtAddress ?? order.phone ?? undefined;
  return useOrderColumns<PayoutOrderRow>(visibility, PAYOUT_STATUSES, {
    afterSupplier: [
      { key: 'userName', title: t('payouts.payeeName'), render: (order) => order.userName ?? '–' },
      {
        key: 'cardNumber',
        title: t('payouts.payee'),
        render: (order) => <Copyable text={whom(order)} limit={20} />,
      },
      {
        key: 'bankName',
        title: t('payouts.bankName'),
        optional: true,
        render: (order) => order.bankName ?? '–',
      },
      {
        key: 'ifscCode',
        title: 'IFSC',
        optional: true,
        render: (order) => <Copyable text={order.ifscCode} />,
      },
    ],
    last: [
      {
        key: 'claimTime',
        title: t('payouts.claimTime'),
        optional: true,
        shown: visibility.accounts,
        render: (order) => <Moment time={order.claimTime} />,
      },
      {
        key: 'claimExpireTime',
        title: t('payouts.claimExpireTime'),
        optional: visibility.merchants,
        shown: visibility.accounts,
        render: (order) => <Moment time={order.claimExpireTime} />,
      },
      {
        key: 'finishTime',
        title: t('payouts.finishTime'),
        optional: true,
        render: (order) => <Moment time={order.finishTime} />,
      },
      {
        key: 'rejectReason',
        title: t('payouts.rejectReason'),
        optional: true,
        shown: visibility.replies,
        render: (order) => order.rejectReason ?? '–',
      },
    ],
  });
}

/** The list of payouts for every role: staff, supplier, agent (team orders) and merchant. */
export function PayoutOrdersScreen({ screen, orderCode: only }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const viewer = useViewer();
  const mayCall = useMayCall();
  const visibility = orderVisibility(viewer, screen);
  const actions = usePayoutActions();
  const bulk = useBulkActions<PayoutOrderRow>({ unlock: true });
  const definition: ListDefinition<PayoutOrderRow, PayoutOrderFilters> = {
    name: 'payoutOrders',
    title: title(screen),
    call: endpoints.payout.getPayoutList,
    ...(screen.variant === 'team' ? { fixed: { scope: 'team' } } : {}),
    keyOf: (order) => order.id,
    changes: 'ordersOut',
    openKeyOf: (order) => order.orderCode,
    filters: useFilters(visibility),
    columns: useColumns(visibility),
    Cards: PayoutCards,
    Totals: PayoutTotals,
    amountOf: ({ amount, currency }) => ({ minor: amount, currency }),
    cardsFilter: 'orderStatusId',
    ...(isReadOnly(viewer.access, screen) ? {} : { actionsOf: actions.of, bulk }),
    drawer: (orderCode, close) => (
      <PayoutDrawer orderCode={orderCode} visibility={visibility} actions={actions} onClose={close} />
    ),
    ...(mayCall(endpoints.interfaceTest.signFields) ? { tools: <UploadTool /> } : {}),
    ...(viewer.access === 'supplier' ? { tools: <PhoneOffer /> } : {}),
    emptyText: t('payouts.empty'),
  };
  return (
    <>
      {only !== undefined ? (
        <PayoutDrawer orderCode={only} visibility={visibility} actions={actions} />
      ) : (
        <ListScreen definition={definition} />
      )}
      {actions.dialogs}
    </>
  );
}

function PayoutCards(props: CardsProps<PayoutOrderFilters>) {
  return <StatusCards {...props} call={endpoints.payout.getPayoutStatusSummary} statuses={PAYOUT_STATUSES} />;
}

function PayoutTotals(props: TotalsProps<PayoutOrderFilters>) {
  return <OrderTotals {...props} call={endpoints.payout.getPayoutStatusSummary} />;
}
