import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { isReadOnly } from '@sangam/contract/screens.ts';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { Status } from '../figures/status.tsx';
import { TextButton } from '../figures/text-button.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../operator-table/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { productLabel, useFilterOptions } from '../operator-table/use-filter-options.ts';
import { useViewer } from '../session/viewer.ts';
import type { PageProps } from '../shell/page-props.ts';
import { useTitles } from '../shell/use-titles.ts';
import { AccountSwitch } from './account-switch.tsx';
import type { AccountCall, ReceivingAccount } from './receiving-account.ts';

/** 0 means enabled (seed section 4). */
const ENABLED = 0;

/** Receiving accounts of everybody, or of the supplier who looks. */
export function ReceivingAccountsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const viewer = useViewer();
  const choices = useFilterOptions();
  const [switching, setSwitching] = useState<ReceivingAccount>();
  const foreign = screen.variant !== 'own';
  const readOnly = isReadOnly(viewer.access, screen);

  const definition: ListDefinition<ReceivingAccount, InputOf<AccountCall>> = {
    name: `receivingAccounts.${screen.variant}`,
    title: title(screen),
    call: endpoints.party.getResourceList,
    keyOf: (account) => `${account.id}-${account.productId}`,
    emptyText: t('accounts.empty'),
    filters: [
      { name: 'account', param: 'q', kind: 'text', label: t('accounts.numberOrVpa'), pinned: true },
      { name: 'bank', param: 'b', kind: 'text', label: t('accounts.bank'), pinned: true },
      {
        name: 'productId',
        param: 'pr',
        kind: 'digits',
        label: t('orders.product'),
        pinned: true,
        options: choices.products,
      },
      ...(foreign
        ? [
            {
              name: 'supplierId',
              param: 'sp',
              kind: 'digits' as const,
              label: t('orders.supplier'),
              pinned: true,
              options: choices.suppliers,
            },
          ]
        : []),
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('people.state'),
        pinned: true,
        values: ['0', '1'],
        options: [
          { value: '0', label: t('accounts.open') },
          { value: '1', label: t('accounts.closed') },
        ],
      },
      {
        name: 'online',
        param: 'on',
        kind: 'choice',
        label: t('accounts.monitor'),
        pinned: true,
        values: ['true', 'false'],
        options: [
          { value: 'true', label: t('accounts.online') },
          { value: 'false', label: t('accounts.offline') },
        ],
      },
    ],
    columns: [
      {
        key: 'account',
        title: t('accounts.account'),
        names: true,
        render: (account) => (
          <>
            {account.bank} <Copyable text={account.accountNumber} />
          </>
        ),
      },
      { key: 'ownerName', title: t('accounts.ownerName'), render: (account) => account.ownerName },
      ...(foreign
        ? [
            {
              key: 'supplier',
              title: t('orders.supplier'),
              render: (account: ReceivingAccount) => account.supplierName,
            },
          ]
        : []),
      {
        key: 'product',
        title: t('orders.product'),
        render: (account) => productLabel(name, account.productId, account.productName),
      },
      {
        key: 'state',
        title: t('people.state'),
        render: (account) => {
          const open = account.state === ENABLED;
          return (
            <>
              <Status
                tone={open ? 'positive' : 'quiet'}
                word={t(open ? 'accounts.open' : 'accounts.closed')}
              />{' '}
              {account.mayToggle && !readOnly && (
                <TextButton
                  label={t('accounts.switchOf', { account: `${account.bank} ${account.accountNumber}` })}
                  text={t(open ? 'accounts.close' : 'accounts.openIt')}
                  onClick={() => setSwitching(account)}
                />
              )}
            </>
          );
        },
      },
      {
        key: 'monitor',
        title: t('accounts.monitor'),
        render: (account) => (
          <>
            <Status
              tone={account.monitorOnline ? 'positive' : 'negative'}
              word={t(account.monitorOnline ? 'accounts.online' : 'accounts.offline')}
            />{' '}
            {!account.monitorOnline && account.lastSeenTime && <Moment time={account.lastSeenTime} />}
          </>
        ),
      },
      {
        key: 'processing',
        title: t('accounts.processing'),
        align: 'right',
        render: (account) => (
          <>
            {account.processingOrderCount} ·{' '}
            <Money minor={account.processingOrderAmount} currency={account.currency} />
          </>
        ),
      },
      {
        key: 'today',
        title: t('accounts.today'),
        align: 'right',
        render: (account) => (
          <>
            {account.todayCount}
            {account.dailyCountLimit !== null && ` / ${account.dailyCountLimit}`} ·{' '}
            <Money minor={account.todayAmount} currency={account.currency} />
          </>
        ),
      },
      {
        key: 'dailyAmountLimit',
        title: t('accounts.dailyAmountLimit'),
        align: 'right',
        render: (account) => <Money minor={account.dailyAmountLimit} currency={account.currency} />,
      },
      {
        key: 'limits',
        title: t('accounts.limits'),
        align: 'right',
        render: (account) => (
          <>
            <Money minor={account.minAmount} currency={account.currency} /> –{' '}
            <Money minor={account.maxAmount} currency={account.currency} />
          </>
        ),
      },
      { key: 'weight', title: t('accounts.weight'), align: 'right', render: (account) => account.weight },
      {
        key: 'vpa',
        title: 'VPA',
        optional: true,
        render: (account) => <Copyable text={account.vpa} limit={28} />,
      },
      { key: 'ifsc', title: 'IFSC', optional: true, render: (account) => <Copyable text={account.ifsc} /> },
    ],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {switching && <AccountSwitch account={switching} onClose={() => setSwitching(undefined)} />}
    </>
  );
}
