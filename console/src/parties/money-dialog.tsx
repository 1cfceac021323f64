import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints, type Call } from 'virtual:endpoints';
import { CURRENCIES, type Currency } from '@sangam/contract/money.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { call } from '../http/client.ts';
import { useNames } from '../language/names.ts';
import type { Party } from './party.ts';

export type MoneyMove = 'topUp' | 'withdrawal' | 'balanceAdjustment' | 'clearBalance' | 'creditLimit';

/** The call that starts each request. */
export const MOVE_CALLS = {
  topUp: endpoints.fund.topUp,
  withdrawal: endpoints.fund.withdrawFunds,
  balanceAdjustment: endpoints.fund.adjustBalance,
  clearBalance: endpoints.fund.clearBalance,
  creditLimit: endpoints.fund.setCreditLimit,
} as const;

interface MoneyDialogProps {
  readonly party: Pick<Party, 'kind' | 'id' | 'name' | 'balances'>;
  readonly move: MoneyMove;
  readonly onClose: () => void;
}

/** Requests a movement of money by hand. Nothing moves until a second person approves. */
export function MoneyDialog({ party, move, onClose }: MoneyDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  // One key per dialog: a double click, or a new try after a lost answer, makes one request.
  const [requestKey] = useState(() => crypto.randomUUID());
  const held = [...new Set(party.balances.map(({ currency }) => currency))];
  const currencies = held.length > 0 ? held : (Object.keys(CURRENCIES) as Currency[]);
  const [currency, setCurrency] = useState<Currency>(currencies[0] ?? 'INR');
  const buckets = party.kind === 'merchant' ? ['available'] : ['deposit', 'commission'];

  const amount: DialogField = {
    name: move === 'creditLimit' ? 'creditLimit' : 'amount',
    label: t(move === 'creditLimit' ? 'approvalFields.creditLimit' : 'approvalFields.amount'),
    kind: 'money',
    currency,
    signed: move === 'balanceAdjustment',
    required: true,
    ...(move === 'balanceAdjustment' ? { hint: t('money.signedHint') } : {}),
  };
  const bucket: DialogField = {
    name: 'bucket',
    label: t('fund.bucket'),
    kind: 'choice',
    options: buckets.map((value) => ({ value, label: name('buckets', value) })),
    initial: buckets[0],
    required: true,
  };
  const utr: DialogField = {
    name: 'utr',
    label: t('approvalFields.utr'),
    kind: 'text',
    hint: t('money.utrHint'),
    maxLength: 80,
  };
  const fields: readonly DialogField[] = [
    {
      name: 'currency',
      label: t('fund.currency'),
      kind: 'choice',
      options: currencies.map((value) => ({ value, label: value })),
      initial: currency,
      required: true,
      onChange: (value) => setCurrency(value as Currency),
    },
    ...(move === 'withdrawal' || move === 'balanceAdjustment' ? [bucket] : []),
    ...(move === 'clearBalance' ? [] : [amount]),
    ...(move === 'topUp' ? [utr] : []),
    { name: 'reason', label: t('fund.reason'), kind: 'lines', maxLength: 256, required: true },
  ];
  const owner =
    move === 'clearBalance'
      ? { merchantId: party.id }
      : move === 'creditLimit'
        ? { supplierId: party.id }
        : { ownerKind: party.kind, ownerId: party.id };

  return (
    <FormDialog
      title={`${name('approvalKinds', move)} · ${party.name}`}
      fields={fields}
      consequence={t(`money.consequence.${move}`)}
      okText={t('money.ask')}
      onSubmit={async (values) => {
        await call(MOVE_CALLS[move] as Call<unknown, unknown>, { ...values, ...owner, requestKey });
      }}
      onClose={onClose}
    />
  );
}
