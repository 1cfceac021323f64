import { type AccountKind, MPESA_TYPES, kindOf } from '@sangam/contract/account-kinds.ts';
import { BALANCE_MODES, type BalanceMode } from '@sangam/contract/chain.ts';
import type { Currency } from '@sangam/contract/money.ts';
import type { Channel } from '@sangam/contract/products.ts';
import { useTranslation } from 'react-i18next';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { useNames } from '../language/names.ts';
import { useViewer } from '../session/viewer.ts';

const HOURS = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/;
const ID_LIST = /^\d{1,18}([\s,]+\d{1,18})*$/;

/** The form's initial values, in the form the calls use. accountNumber and vpa are present only where the viewer sees them unmasked. */
export interface AccountStart {
  readonly monitorId?: string | null;
  readonly dailyCountLimit?: number | null;
  readonly dailyAmountLimit?: number | null;
  readonly maxWaiting?: number;
  readonly hours?: { readonly from: string; readonly to: string } | null;
  readonly merchantWhitelist?: readonly string[] | null;
  readonly payerWhitelist?: readonly string[] | null;
  readonly purpose?: string;
  readonly balanceMode?: BalanceMode;
}

/** Fields of the account's owner and identity, by kind. */
export function useIdentityFields(
  kindFor: (typed: Readonly<Record<string, unknown>>) => AccountKind,
  required: boolean,
): readonly DialogField[] {
  const { t } = useTranslation();
  const isOf = (...kinds: readonly AccountKind[]) => ({
    when: (typed: Readonly<Record<string, unknown>>) => kinds.includes(kindFor(typed)),
  });
  const banks = ['bank', 'upi', 'card', 'wallet'] as const;
  return [
    { name: 'bank', label: t('accounts.bank'), kind: 'text', required, ...isOf(...banks) },
    { name: 'bank', label: t('accounts.gateway'), kind: 'text', required, ...isOf('gateway') },
    { name: 'ownerName', label: t('accounts.ownerName'), kind: 'text', required },
    {
      name: 'mpesaType',
      label: t('accounts.mpesaType'),
      kind: 'choice',
      options: MPESA_TYPES.map((value) => ({ value, label: t(`accounts.mpesa.${value}`) })),
      required,
      ...isOf('mpesa'),
    },
    ...(
      [
        [banks, 'number', 20],
        [['gateway'], 'gatewayId', 64],
        [['usdt'], 'address', 34],
        [['mpesa'], 'shortCode', 20],
      ] as const
    ).map(([kinds, label, maxLength]) => ({
      name: 'accountNumber',
      label: t(`accounts.${label}`),
      hint: t(`accounts.${label}Hint`),
      kind: 'text' as const,
      maxLength,
      required,
      ...isOf(...kinds),
    })),
    {
      name: 'ifsc',
      label: 'IFSC',
      hint: t('accounts.ifscHint'),
      kind: 'text',
      maxLength: 11,
      pattern: /^[A-Za-z]{4}0[A-Za-z0-9]{6}$/,
      invalid: t('accounts.ifscHint'),
      ...isOf(...banks),
    },
    {
      name: 'vpa',
      label: 'VPA',
      hint: t('accounts.vpaHint'),
      kind: 'text',
      maxLength: 100,
      pattern: /^[A-Za-z0-9._-]{2,99}@[A-Za-z][A-Za-z0-9]{1,63}$/,
      invalid: 'name@handle',
      ...isOf(...banks),
    },
  ];
}

/** Limits, hours and lists: these may be changed at any time. */
export function useTermsFields(currency: Currency, start: AccountStart): readonly DialogField[] {
  const { t } = useTranslation();
  const name = useNames();
  const viewer = useViewer();
  // The chain of balances is built from the bank's texts. So the operator, not the account's owner, sets what the texts must state.
  const hasBalances = currency !== 'USDT' && viewer.access !== 'supplier';
  return [
    {
      name: 'dailyCountLimit',
      label: t('accounts.dailyCountLimit'),
      hint: t('accounts.noLimitHint'),
      kind: 'whole',
      max: 1_000_000,
      initial: start.dailyCountLimit,
    },
    {
      name: 'dailyAmountLimit',
      label: t('accounts.dailyAmountLimit'),
      hint: t('accounts.noLimitHint'),
      kind: 'money',
      currency,
      initial: start.dailyAmountLimit,
    },
    {
      name: 'maxWaiting',
      label: t('accounts.maxWaiting'),
      kind: 'whole',
      min: 1,
      max: 100_000,
      initial: start.maxWaiting ?? 500,
      required: true,
    },
    {
      name: 'hours',
      label: t('accounts.hours'),
      hint: t('accounts.hoursHint'),
      kind: 'text',
      maxLength: 11,
      pattern: HOURS,
      invalid: '09:00-21:00',
      initial: start.hours && `${start.hours.from}-${start.hours.to}`,
    },
    {
      name: 'monitorId',
      label: t('accounts.monitorId'),
      kind: 'text',
      maxLength: 19,
      pattern: /^\d+$/,
      invalid: '0–9',
      initial: start.monitorId,
    },
    ...(hasBalances
      ? [
          {
            name: 'balanceMode',
            label: t('chain.balanceMode'),
            hint: t('accounts.balanceModeHint'),
            kind: 'choice' as const,
            options: BALANCE_MODES.map((value) => ({ value, label: name('balanceModes', value) })),
            initial: start.balanceMode ?? 'optional',
            required: true,
          },
        ]
      : []),
    {
      name: 'merchantWhitelist',
      label: t('accounts.merchantWhitelist'),
      hint: t('accounts.merchantWhitelistHint'),
      kind: 'lines',
      maxLength: 10_000,
      pattern: ID_LIST,
      invalid: t('accounts.merchantWhitelistHint'),
      initial: start.merchantWhitelist?.join('\n'),
    },
    {
      name: 'payerWhitelist',
      label: t('accounts.payerWhitelist'),
      hint: t('accounts.payerWhitelistHint'),
      kind: 'lines',
      maxLength: 20_000,
      initial: start.payerWhitelist?.join('\n'),
    },
    {
      name: 'purpose',
      label: t('accounts.purpose'),
      hint: t('accounts.purposeHint'),
      kind: 'lines',
      initial: start.purpose,
      required: true,
    },
  ];
}

/**
 * Converts typed hours and lists to the input of the calls. An empty field becomes null: no limit, open at all hours, open to
 * everybody.
 */
export function termsOf(values: Readonly<Record<string, unknown>>) {
  const lines = (text: unknown, by: RegExp) =>
    typeof text === 'string'
      ? text
          .split(by)
          .map((each) => each.trim())
          .filter(Boolean)
      : null;
  const [from = '', to = ''] = typeof values['hours'] === 'string' ? values['hours'].split('-') : [];
  return {
    dailyCountLimit: (values['dailyCountLimit'] as number | undefined) ?? null,
    dailyAmountLimit: (values['dailyAmountLimit'] as number | undefined) ?? null,
    monitorId: (values['monitorId'] as string | undefined) ?? null,
    hours: from ? { from, to } : null,
    merchantWhitelist: lines(values['merchantWhitelist'], /[\s,]+/),
    payerWhitelist: lines(values['payerWhitelist'], /\n/),
  };
}

/** The kind of account that the chosen channels and the typed values lead to. */
export function kindTyped(
  channels: readonly Channel[],
  fallback: AccountKind,
  typed: Readonly<Record<string, unknown>>,
): AccountKind {
  if (channels.length === 0) return fallback;
  return kindOf(channels, { ifsc: Boolean(typed['ifsc']), vpa: Boolean(typed['vpa']) });
}
