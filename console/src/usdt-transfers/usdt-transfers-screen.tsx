import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Copyable } from '../figures/copyable.tsx';
import { MessageState } from '../figures/message-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';

type TransferCall = typeof endpoints.usdt.getUsdtTransfers;
type Transfer = RowOf<TransferCall>;

/** The possible states of a transfer on the chain. */
const STATES = ['matched', 'unmatched', 'ambiguous', 'held', 'duplicate'] as const;
/** Reasons that have a text; others are shown as sent. */
const REASONS = [
  'underpaid',
  'overpaid',
  'amountDiffers',
  'autoOff',
  'orderFrozen',
  'utrUsed',
  'orderClosed',
  'reversed',
];

/** USDT transfers to our addresses, from solidified blocks. */
export function UsdtTransfersScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const choices = useFilterOptions();
  const reasonOf = ({ reason }: Transfer) =>
    reason !== null && REASONS.includes(reason)
      ? t(`usdt.reasons.${reason as 'underpaid'}`)
      : (reason ?? '–');
  const definition: ListDefinition<Transfer, InputOf<TransferCall>> = {
    name: 'usdtTransfers',
    title: title(screen),
    call: endpoints.usdt.getUsdtTransfers,
    keyOf: (transfer) => transfer.id,
    emptyText: t('usdt.empty'),
    filters: [
      { name: 'txid', param: 'tx', kind: 'text', label: t('usdt.txid'), pinned: true },
      { name: 'orderCode', param: 'o', kind: 'text', label: t('orders.orderCode'), pinned: true },
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('messages.state'),
        pinned: true,
        values: STATES,
        options: STATES.map((state) => ({ value: state, label: name('messageStates', state) })),
      },
      { name: 'period', param: 't', kind: 'period', label: t('list.span') },
      { name: 'address', param: 'a', kind: 'text', label: t('usdt.address') },
      {
        name: 'supplierId',
        param: 'sp',
        kind: 'digits',
        label: t('orders.supplier'),
        options: choices.suppliers,
      },
    ],
    columns: [
      {
        key: 'blockTime',
        title: t('usdt.blockTime'),
        names: true,
        render: (transfer) => <Moment time={transfer.blockTime} />,
      },
      {
        key: 'state',
        words: 'messageStates',
        title: t('messages.state'),
        render: (transfer) => <MessageState state={transfer.state} />,
      },
      {
        key: 'amount',
        title: t('approvalFields.amount'),
        align: 'right',
        render: (transfer) => <Money minor={transfer.amount} currency={transfer.currency} />,
      },
      { key: 'reason', title: t('messages.reason'), render: reasonOf },
      {
        key: 'order',
        field: 'orderCode',
        title: t('orders.orderCode'),
        render: (transfer) => <Copyable text={transfer.orderCode} limit={20} />,
      },
      {
        key: 'txid',
        title: t('usdt.txid'),
        render: (transfer) => <Copyable text={transfer.txid.toLowerCase()} limit={18} />,
      },
      {
        key: 'from',
        title: t('usdt.from'),
        render: (transfer) => <Copyable text={transfer.from} limit={14} />,
      },
      {
        key: 'address',
        title: t('usdt.address'),
        render: (transfer) => <Copyable text={transfer.address} limit={14} />,
      },
      {
        key: 'supplier',
        field: 'supplierName',
        title: t('orders.supplier'),
        render: (transfer) => transfer.supplierName,
      },
      {
        key: 'received',
        field: 'receivedTime',
        title: t('messages.receivedTime'),
        optional: true,
        render: (transfer) => <Moment time={transfer.receivedTime} />,
      },
    ],
  };
  return <ListScreen definition={definition} />;
}
