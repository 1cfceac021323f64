import { Tag } from 'antd';
import type { TFunction } from 'i18next';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { ACCOUNT_AREAS, isWatched, type AccountArea } from '@sangam/contract/account-kinds.ts';
import { isReadOnly, type Screen } from '@sangam/contract/screens.ts';
import { Copyable } from '../figures/copyable.tsx';
import { KycState } from '../figures/kyc-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { Status } from '../figures/status.tsx';
import type { ListColumn } from '../operator-table/list-definition.ts';
import { useViewer } from '../session/viewer.ts';
import { type Account, OPEN, type ProductOfAccount } from './account.ts';
import { ProductChips } from './product-chips.tsx';

/** Columns of the accounts list. Which ones there are depends on the kinds of account on the screen. */
export function useAccountColumns(
  screen: Screen,
  onProduct: (account: Account, product: ProductOfAccount) => void,
): readonly ListColumn<Account>[] {
  const { t } = useTranslation();
  const viewer = useViewer();
  const readOnly = isReadOnly(viewer.access, screen);
  const isOfBanks = screen.area === 'receivingAccounts' || screen.area === 'payoutAccounts';
  const only = (shown: boolean, ...columns: readonly ListColumn<Account>[]) => (shown ? columns : []);
  return [
    {
      key: 'account',
      parts: [
        { field: 'bank', title: t('accounts.bank') },
        { field: 'accountNumber', title: t('accounts.number') },
      ],
      title: t('accounts.account'),
      names: true,
      render: (account) => (
        <>
          {account.bank} <Copyable text={account.accountNumber} />{' '}
          {account.mpesaType && <Tag variant="filled">{t(`accounts.mpesa.${account.mpesaType}`)}</Tag>}
        </>
      ),
    },
    { key: 'ownerName', title: t('accounts.ownerName'), render: (account) => account.ownerName },
    ...only(screen.variant !== 'own', {
      key: 'supplier',
      field: 'supplierName',
      title: t('orders.supplier'),
      render: (account) => account.supplierName,
    }),
    {
      key: 'product',
      parts: [{ field: 'products.productName', title: t('people.products') }],
      title: t('people.products'),
      width: 240,
      render: (account) => (
        <ProductChips
          account={account}
          onChoose={account.mayToggle && !readOnly ? (product) => onProduct(account, product) : undefined}
        />
      ),
    },
    {
      key: 'state',
      parts: [{ field: 'products.state', title: t('people.state'), words: 'resourceStates' }],
      title: t('people.state'),
      render: (account) => <AccountState account={account} />,
    },
    { key: 'kyc', title: t('accounts.proof'), render: (account) => <KycState state={account.kyc} /> },
    ...only(hasWatched(screen.area as AccountArea), {
      key: 'monitor',
      parts: [
        { field: 'monitorOnline', title: t('accounts.monitor') },
        { field: 'watchProblem', title: t('payScripts.problem') },
      ],
      title: t('accounts.monitor'),
      // A bank account that only pays needs no monitor.
      render: (account) =>
        isWatched(account) && (account.direction === 'in' || account.monitorId !== null) ? (
          <MonitorState account={account} />
        ) : (
          '–'
        ),
    }),
    ...only(screen.area !== 'payoutAccounts' && !screen.area.endsWith('Payout'), ...successColumns(t)),
    {
      key: 'lastMessage',
      parts: [{ field: 'health.lastMessageTime', title: t('accounts.lastMessage') }],
      title: t('accounts.lastMessage'),
      render: ({ health }) => <Moment time={health.lastMessageTime} />,
    },
    ...loadColumns(t),
    {
      key: 'hours',
      title: t('accounts.hours'),
      optional: true,
      render: ({ hours }) => (hours ? `${hours.from}–${hours.to}` : t('accounts.always')),
    },
    {
      key: 'weight',
      parts: [{ field: 'products.weight', title: t('accounts.weight') }],
      title: t('accounts.weight'),
      align: 'right',
      render: ({ products }) => [...new Set(products.map(({ weight }) => weight))].join(' · '),
    },
    ...only(
      isOfBanks,
      {
        key: 'vpa',
        title: 'VPA',
        optional: true,
        render: (account) => <Copyable text={account.vpa} limit={28} />,
      },
      { key: 'ifsc', title: 'IFSC', optional: true, render: (account) => <Copyable text={account.ifsc} /> },
    ),
  ];
}

/** Success rate of the payments to an account. */
function successColumns(t: TFunction): readonly ListColumn<Account>[] {
  return [
    {
      key: 'success',
      parts: [
        { field: 'health.todayPaid', title: t('people.todayPaid') },
        { field: 'health.todayAllocated', title: t('people.todayOrders') },
        { field: 'health.weekPaid', title: t('accounts.weekPaid') },
        { field: 'health.weekAllocated', title: t('accounts.weekOrders') },
      ],
      title: t('accounts.success'),
      align: 'right',
      render: ({ health }) => (
        <>
          {shareText(health.todayPaid, health.todayAllocated)} ·{' '}
          {shareText(health.weekPaid, health.weekAllocated)}
        </>
      ),
    },
    {
      key: 'timeToPay',
      parts: [{ field: 'health.secondsToPay', title: `${t('accounts.timeToPay')} · s` }],
      title: t('accounts.timeToPay'),
      align: 'right',
      render: ({ health }) => durationText(health.secondsToPay),
    },
  ];
}

/** An account's waiting orders, today's figures, and how much its limits still allow. */
function loadColumns(t: TFunction): readonly ListColumn<Account>[] {
  return [
    {
      key: 'processing',
      parts: [
        { field: 'processingOrderCount', title: t('accounts.processingCount') },
        { field: 'processingOrderAmount', title: t('accounts.processingAmount') },
      ],
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
      parts: [
        { field: 'todayCount', title: `${t('accounts.today')} · ${t('batches.count')}` },
        { field: 'todayAmount', title: `${t('accounts.today')} · ${t('approvalFields.amount')}` },
      ],
      title: t('accounts.today'),
      align: 'right',
      render: (account) => (
        <>
          {account.todayCount} · <Money minor={account.todayAmount} currency={account.currency} />
        </>
      ),
    },
    {
      key: 'left',
      // The remainder is the limit less the value of the column before it.
      parts: [
        { field: 'dailyCountLimit', title: t('accounts.dailyCountLimit') },
        { field: 'dailyAmountLimit', title: t('accounts.dailyAmountLimit') },
      ],
      title: t('accounts.leftToday'),
      align: 'right',
      render: (account) => <LeftToday account={account} />,
    },
    {
      key: 'limits',
      parts: [
        { field: 'products.minAmount', title: t('approvalFields.minAmount') },
        { field: 'products.maxAmount', title: t('approvalFields.maxAmount') },
      ],
      title: t('accounts.limits'),
      align: 'right',
      render: (account) => <Limits account={account} />,
    },
  ];
}

/** The amount limits per order of the account's products. Equal limits are shown once. */
function Limits({ account: { products, currency } }: { readonly account: Account }) {
  const different = new Map(
    products.map((product) => [`${product.minAmount}-${product.maxAmount}`, product]),
  );
  return [...different].map(([key, { minAmount, maxAmount }], index) => (
    <Fragment key={key}>
      {index > 0 && ' · '}
      <Money minor={minAmount} currency={currency} whole /> –{' '}
      <Money minor={maxAmount} currency={currency} whole />
    </Fragment>
  ));
}

/** Whether any account of the area has a monitor. */
export function hasWatched(area: AccountArea): boolean {
  const { directions, kinds } = ACCOUNT_AREAS[area];
  return directions.some((direction) => kinds.some((kind) => isWatched({ direction, kind })));
}

function MonitorState({ account }: { readonly account: Account }) {
  const { t } = useTranslation();
  const { monitorOnline, lastSeenTime, watchProblem } = account;
  return (
    <>
      <Status
        tone={monitorOnline ? 'positive' : 'negative'}
        label={t(monitorOnline ? 'accounts.online' : 'accounts.offline')}
      />{' '}
      {!monitorOnline && lastSeenTime && <Moment time={lastSeenTime} />}
      {watchProblem !== null && <Copyable text={watchProblem} limit={36} />}
    </>
  );
}

/** Whether an account takes orders. Of several reasons against it, only the strongest is shown. */
export function AccountState({ account }: { readonly account: Account }) {
  const { t } = useTranslation();
  if (account.legalHold) return <Status tone="negative" label={t('holds.held')} />;
  if (account.frozen) return <Status tone="warning" label={t('holds.frozen')} />;
  if (!account.products.some(({ state }) => state === OPEN))
    return <Status tone="quiet" label={t('accounts.closed')} />;
  if (account.outsideHours) return <Status tone="pending" label={t('accounts.outsideHours')} />;
  if (account.limitReached) return <Status tone="warning" label={t('accounts.limitReached')} />;
  return <Status tone="positive" label={t('accounts.open')} />;
}

/** How much today's limits still allow; a dash where the account has no daily limit. */
export function LeftToday({ account }: { readonly account: Account }) {
  const { dailyCountLimit, dailyAmountLimit, currency } = account;
  if (dailyCountLimit === null && dailyAmountLimit === null) return '–';
  return (
    <>
      {dailyCountLimit !== null && Math.max(0, dailyCountLimit - account.todayCount)}
      {dailyCountLimit !== null && dailyAmountLimit !== null && ' · '}
      {dailyAmountLimit !== null && (
        <Money minor={Math.max(0, dailyAmountLimit - account.todayAmount)} currency={currency} />
      )}
    </>
  );
}

/** Such as "83% of 12"; a dash where the whole is zero. */
export function shareText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((part / whole) * 100)}%`;
}

/** Minutes and seconds, such as 1:05. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return '–';
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
