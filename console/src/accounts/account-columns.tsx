import { Tag } from 'antd';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ACCOUNT_AREAS, isWatched, type AccountArea } from '@sangam/contract/account-kinds.ts';
import { isReadOnly, type Screen } from '@sangam/contract/screens.ts';
import { Copyable } from '../figures/copyable.tsx';
import { KycState } from '../figures/kyc-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { Status } from '../figures/status.tsx';
import { TextButton } from '../figures/text-button.tsx';
import { useNames } from '../language/names.ts';
import type { ListColumn } from '../operator-table/list-definition.ts';
import { productLabel } from '../language/product-label.ts';
import { useViewer } from '../session/viewer.ts';
import { type Account, OPEN, labelOf } from './account.ts';

/** Columns of accounts: those that the kinds of the screen have. */
export function useAccountColumns(
  screen: Screen,
  onSwitch: (account: Account) => void,
): readonly ListColumn<Account>[] {
  const { t } = useTranslation();
  const name = useNames();
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
      field: 'productName',
      title: t('orders.product'),
      render: (account) => productLabel(name, account.productId, account.productName),
    },
    {
      key: 'state',
      title: t('people.state'),
      render: (account) => (
        <>
          <AccountState account={account} />{' '}
          {account.mayToggle && !readOnly && (
            <TextButton
              label={t('accounts.switchOf', { account: labelOf(account) })}
              text={t(account.state === OPEN ? 'accounts.close' : 'accounts.openIt')}
              onClick={() => onSwitch(account)}
            />
          )}
        </>
      ),
    },
    { key: 'kyc', title: t('accounts.proof'), render: (account) => <KycState state={account.kyc} /> },
    ...only(hasWatched(screen.area as AccountArea), {
      key: 'monitor',
      field: 'monitorOnline',
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
    { key: 'weight', title: t('accounts.weight'), align: 'right', render: (account) => account.weight },
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

/** An account's waiting orders, today's figures and what its limits leave. */
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
      // The rest is the limit less the value of the column before it.
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
        { field: 'minAmount', title: t('approvalFields.minAmount') },
        { field: 'maxAmount', title: t('approvalFields.maxAmount') },
      ],
      title: t('accounts.limits'),
      align: 'right',
      render: (account) => (
        <>
          <Money minor={account.minAmount} currency={account.currency} whole /> –{' '}
          <Money minor={account.maxAmount} currency={account.currency} whole />
        </>
      ),
    },
  ];
}

/** Whether any account of the area has a monitor. */
export function hasWatched(area: AccountArea): boolean {
  const { directions, kinds } = ACCOUNT_AREAS[area];
  return directions.some((direction) => kinds.some((kind) => isWatched({ direction, kind })));
}

function MonitorState({ account }: { readonly account: Account }) {
  const { t } = useTranslation();
  const { monitorOnline, lastSeenTime } = account;
  return (
    <>
      <Status
        tone={monitorOnline ? 'positive' : 'negative'}
        label={t(monitorOnline ? 'accounts.online' : 'accounts.offline')}
      />{' '}
      {!monitorOnline && lastSeenTime && <Moment time={lastSeenTime} />}
    </>
  );
}

/** Whether an account takes orders; the strongest reason against it is the one shown. */
export function AccountState({ account }: { readonly account: Account }) {
  const { t } = useTranslation();
  if (account.legalHold) return <Status tone="negative" label={t('holds.held')} />;
  if (account.frozen) return <Status tone="warning" label={t('holds.frozen')} />;
  if (account.state !== OPEN) return <Status tone="quiet" label={t('accounts.closed')} />;
  if (account.outsideHours) return <Status tone="pending" label={t('accounts.outsideHours')} />;
  if (account.limitReached) return <Status tone="warning" label={t('accounts.limitReached')} />;
  return <Status tone="positive" label={t('accounts.open')} />;
}

/** What the day's limits leave; a dash where there is none. */
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

/** 83% of 12; a dash where there was none. */
export function shareText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((part / whole) * 100)}%`;
}

/** 1:05 */
export function durationText(seconds: number | null): string {
  if (seconds === null) return '–';
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
