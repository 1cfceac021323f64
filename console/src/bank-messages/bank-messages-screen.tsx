import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Copyable } from '../figures/copyable.tsx';
import { MessageState } from '../figures/message-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { Verdict } from '../figures/verdict.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { LINK_PARAMS } from '../operator-table/list-links.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { useMayCall } from '../session/may-call.ts';
import { isStaff, useViewer } from '../session/viewer.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTabParam } from '../navigation/tab-location.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { BankMessage, MessageCall } from './bank-message.ts';
import styles from './bank-messages.module.css';
import { MessageDrawer } from './message-drawer.tsx';
import { StatementsDialog } from './statements-dialog.tsx';

function useColumns(staff: boolean): readonly ListColumn<BankMessage>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'received',
      field: 'receivedTime',
      title: t('messages.receivedTime'),
      names: true,
      render: (message) => <Moment time={message.receivedTime} />,
    },
    {
      key: 'state',
      words: 'messageStates',
      title: t('messages.state'),
      render: (message) => <MessageState state={message.state} />,
    },
    {
      key: 'verdict',
      words: 'matchVerdicts',
      title: t('messages.verdict'),
      render: (message) => <Verdict verdict={message.verdict} confidence={message.confidence} />,
    },
    {
      key: 'amount',
      title: t('approvalFields.amount'),
      align: 'right',
      render: (message) =>
        message.currency && message.amount !== null ? (
          <Money
            minor={message.direction === 'debit' ? -message.amount : message.amount}
            currency={message.currency}
            directed
          />
        ) : (
          '–'
        ),
    },
    { key: 'utr', title: 'UTR', render: (message) => <Copyable text={message.utr} limit={16} /> },
    {
      key: 'order',
      field: 'orderCode',
      title: t('orders.orderCode'),
      render: (message) => <Copyable text={message.orderCode} limit={20} />,
    },
    {
      key: 'text',
      title: t('messages.text'),
      width: 420,
      render: (message) => (
        <span className={styles['text']} title={message.text}>
          {message.text}
        </span>
      ),
    },
    {
      key: 'account',
      field: 'accountName',
      title: t('accounts.account'),
      render: (message) => message.accountName ?? '–',
    },
    ...(staff
      ? [
          {
            key: 'supplier',
            field: 'supplierName' as const,
            title: t('orders.supplier'),
            render: (message: BankMessage) => message.supplierName ?? '–',
          },
        ]
      : []),
    { key: 'bank', title: t('accounts.bank'), optional: true, render: (message) => message.bank ?? '–' },
    { key: 'sender', title: t('messages.sender'), optional: true, render: (message) => message.sender },
    { key: 'payer', title: t('messages.payer'), optional: true, render: (message) => message.payer ?? '–' },
    {
      key: 'balance',
      title: t('messages.balance'),
      align: 'right',
      optional: true,
      render: (message) => message.currency && <Money minor={message.balance} currency={message.currency} />,
    },
  ];
}

/** The server's names (contract, MESSAGE_STATES). */
const STATES = [
  'matched',
  'unmatched',
  'ambiguous',
  'held',
  'duplicate',
  'untrusted',
  'ignored',
  'unparsed',
  'settledOutside',
] as const;

export function BankMessagesScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const choices = useFilterOptions();
  const staff = isStaff(useViewer());
  const mayCall = useMayCall();
  const [resourceId] = useTabParam('ac');
  const [comparing, setComparing] = useState(false);
  const isBank = screen.area === 'bankSMSRecords';
  const messages = isBank ? endpoints.party.getBankStatementList : endpoints.party.getWebMessageList;

  const definition: ListDefinition<BankMessage, InputOf<MessageCall>> = {
    name: isBank ? 'bankMessages' : 'webMessages',
    title: title(screen),
    call: messages,
    keyOf: (message) => message.id,
    emptyText: t(isBank ? 'messages.empty' : 'webMessages.empty'),
    tools: isBank && mayCall(endpoints.bankStatement.importBankStatement) && (
      <Button onClick={() => setComparing(true)}>{t('statements.title')}</Button>
    ),
    drawer: (id, close) => <MessageDrawer id={id} call={messages} withSupplier={staff} onClose={close} />,
    filters: [
      { name: 'utr', param: 'u', kind: 'text', label: 'UTR', pinned: true },
      { name: 'orderCode', param: 'o', kind: 'text', label: t('orders.orderCode'), pinned: true },
      {
        name: 'state',
        param: LINK_PARAMS.bankSMSRecords.state,
        kind: 'choice',
        label: t('messages.state'),
        pinned: true,
        values: STATES,
        options: STATES.map((state) => ({ value: state, label: name('messageStates', state) })),
      },
      { name: 'period', param: 't', kind: 'period', label: t('list.span') },
      { name: 'amount', param: 'a', kind: 'amount', label: t('approvalFields.amount') },
      { name: 'bank', param: 'b', kind: 'text', label: t('accounts.bank') },
      {
        name: 'direction',
        param: 'dr',
        kind: 'choice',
        label: t('messages.direction'),
        values: ['credit', 'debit'],
        options: ['credit', 'debit'].map((direction) => ({
          value: direction,
          label: name('directions', direction),
        })),
      },
      {
        name: 'supplierId',
        param: 'sp',
        kind: 'digits',
        label: t('orders.supplier'),
        options: choices.suppliers,
        shown: staff,
      },
      { name: 'resourceId', param: 'ac', kind: 'digits', label: t('messages.resourceId') },
      { name: 'monitorId', param: 'mn', kind: 'digits', label: t('messages.monitorId') },
    ],
    columns: useColumns(staff),
  };
  return (
    <>
      <ListScreen definition={definition} />
      {comparing && <StatementsDialog resourceId={resourceId} onClose={() => setComparing(false)} />}
    </>
  );
}
