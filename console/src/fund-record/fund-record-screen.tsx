import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { CURRENCIES } from '@sangam/contract/money.ts';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { FilterField, ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { MoneyDialog, MOVE_CALLS } from '../parties/money-dialog.tsx';
import { useOwnParty } from '../parties/use-own-party.ts';
import { useMayCall } from '../session/may-call.ts';
import { useViewer } from '../session/viewer.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { FeesDrawer } from './fees-drawer.tsx';
import { InvoicesDrawer } from './invoices-drawer.tsx';
import { StatementDrawer } from './statement-drawer.tsx';
import { WithdrawalsDrawer } from './withdrawals-drawer.tsx';

type FundCall = typeof endpoints.party.getFundRecordList;
type Entry = RowOf<FundCall>;

const BUCKETS = [
  'available',
  'pending',
  'frozen',
  'deposit',
  'held',
  'commission',
  'revenue',
  'suspense',
  'debt',
  'float',
  'external',
  'adjustment',
] as const;
const OWN_BUCKETS: readonly string[] = [
  'available',
  'pending',
  'frozen',
  'deposit',
  'held',
  'commission',
  'debt',
];
const OWNER_KINDS = ['merchant', 'supplier', 'platform'] as const;

function useColumns(everybody: boolean): readonly ListColumn<Entry>[] {
  const { t } = useTranslation();
  const name = useNames();
  const ownerColumn: ListColumn<Entry> = {
    key: 'owner',
    field: 'ownerName',
    title: t('fund.owner'),
    render: (entry) => (entry.ownerKind === 'platform' ? name('ownerKinds', 'platform') : entry.ownerName),
  };
  return [
    { key: 'time', title: t('fund.time'), names: true, render: (entry) => <Moment time={entry.time} /> },
    {
      key: 'postingKind',
      words: 'postingKinds',
      title: t('fund.postingKind'),
      render: (entry) => name('postingKinds', entry.postingKind),
    },
    {
      key: 'order',
      field: 'orderCode',
      title: t('orders.orderCode'),
      render: (entry) => <Copyable text={entry.orderCode} limit={20} />,
    },
    ...(everybody ? [ownerColumn] : []),
    {
      key: 'bucket',
      words: 'buckets',
      title: t('fund.bucket'),
      render: (entry) => name('buckets', entry.bucket),
    },
    {
      key: 'amount',
      title: t('fund.amount'),
      align: 'right',
      render: (entry) => <Money minor={entry.amount} currency={entry.currency} directed />,
    },
    {
      key: 'balanceAfter',
      title: t('fund.balanceAfter'),
      align: 'right',
      render: (entry) => <Money minor={entry.balanceAfter} currency={entry.currency} />,
    },
    { key: 'reason', title: t('fund.reason'), render: (entry) => entry.reason ?? '–' },
    {
      key: 'postingId',
      title: t('fund.postingId'),
      optional: true,
      render: (entry) => <Copyable text={entry.postingId} />,
    },
  ];
}

/** Ledger entries: the viewer's own, or everybody's. */
export function FundRecordScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const choices = useFilterOptions();
  const everybody = screen.variant !== 'own';
  const mayCall = useMayCall();
  const own = useOwnParty();
  const { merchantId } = useViewer();
  const [asked, setAsked] = useState<
    'statement' | 'fees' | 'invoices' | 'topUp' | 'withdrawal' | 'withdrawals'
  >();
  const close = () => setAsked(undefined);
  const buckets = everybody ? BUCKETS : BUCKETS.filter((bucket) => OWN_BUCKETS.includes(bucket));

  const ownerFilters: readonly FilterField<'ownerKind' | 'ownerId'>[] = [
    {
      name: 'ownerKind',
      param: 'k',
      kind: 'choice',
      label: t('fund.ownerKind'),
      pinned: true,
      values: OWNER_KINDS,
      options: OWNER_KINDS.map((kind) => ({ value: kind, label: name('ownerKinds', kind) })),
    },
    {
      name: 'ownerId',
      param: 'ow',
      kind: 'digits',
      label: t('fund.owner'),
      pinned: true,
      options: [...choices.merchants, ...choices.suppliers],
    },
  ];
  const definition: ListDefinition<Entry, InputOf<FundCall>> = {
    name: 'fundRecord',
    title: title(screen),
    call: endpoints.party.getFundRecordList,
    keyOf: (entry) => entry.id,
    emptyText: t('fund.empty'),
    tools: (
      <>
        {own &&
          // A merchant withdraws to its own beneficiaries first. From there it can ask the operator for another way.
          merchantId === undefined &&
          (['topUp', 'withdrawal'] as const)
            .filter((move) => mayCall(MOVE_CALLS[move]))
            .map((move) => (
              <Button key={move} onClick={() => setAsked(move)}>
                {name('approvalKinds', move)}…
              </Button>
            ))}
        {merchantId !== undefined && (
          <Button onClick={() => setAsked('withdrawals')}>{t('withdrawal.title')}</Button>
        )}
        {merchantId !== undefined && <Button onClick={() => setAsked('fees')}>{t('fund.fees')}</Button>}
        {mayCall(endpoints.invoice.getInvoices) && (
          <Button onClick={() => setAsked('invoices')}>{t('invoices.title')}</Button>
        )}
        <Button onClick={() => setAsked('statement')}>{t('fund.statement')}</Button>
      </>
    ),
    filters: [
      { name: 'orderCode', param: 'o', kind: 'text', label: t('orders.orderCode'), pinned: true },
      ...(everybody ? ownerFilters : []),
      {
        name: 'bucket',
        param: 'b',
        kind: 'choice',
        label: t('fund.bucket'),
        pinned: true,
        values: buckets,
        options: buckets.map((bucket) => ({ value: bucket, label: name('buckets', bucket) })),
      },
      { name: 'period', param: 't', kind: 'period', label: t('list.span') },
      {
        name: 'currency',
        param: 'cy',
        kind: 'choice',
        label: t('fund.currency'),
        values: Object.keys(CURRENCIES),
        options: Object.keys(CURRENCIES).map((currency) => ({ value: currency, label: currency })),
      },
      { name: 'postingKind', param: 'pk', kind: 'text', label: t('fund.postingKind') },
    ],
    columns: useColumns(everybody),
  };
  return (
    <>
      <ListScreen definition={definition} />
      {asked === 'statement' && <StatementDrawer everybody={everybody} onClose={close} />}
      {asked === 'fees' && <FeesDrawer onClose={close} />}
      {asked === 'invoices' && <InvoicesDrawer everybody={everybody} onClose={close} />}
      {asked === 'withdrawals' && (
        <WithdrawalsDrawer onAskOperator={() => setAsked('withdrawal')} onClose={close} />
      )}
      {own && (asked === 'topUp' || asked === 'withdrawal') && (
        <MoneyDialog party={own} move={asked} onClose={close} />
      )}
    </>
  );
}
