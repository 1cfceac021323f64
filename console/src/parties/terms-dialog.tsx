import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import type { InputOf } from '../http/call-types.ts';
import { PARTY_LISTS } from './party.ts';
import { useProductChoices } from './product-choices.ts';
import type { OwnerKind, Terms } from './terms.ts';

interface TermsDialogProps {
  readonly ownerKind: OwnerKind;
  readonly ownerId: string;
  readonly title: string;
  /** The terms to change; absent: the user chooses a product. */
  readonly terms?: Terms | undefined;
  readonly onClose: () => void;
}

/** Sets the terms of a product, from now or from a later time. Existing orders keep the terms of their creation. */
export function TermsDialog({ ownerKind, ownerId, title, terms, onClose }: TermsDialogProps) {
  const { t } = useTranslation();
  const send = useSend(...PARTY_LISTS, endpoints.terms.getUserProductList);
  const choices = useProductChoices();
  const [productId, setProductId] = useState<unknown>(terms?.productId);
  const currency = choices.find(({ value }) => value === productId)?.currency ?? 'INR';
  const money = (name: 'fixedFee' | 'minAmount' | 'maxAmount', initial?: number): DialogField => ({
    name,
    label: t(`terms.${name}`),
    kind: 'money',
    currency,
    initial: terms?.[name] ?? initial,
    required: true,
  });
  return (
    <FormDialog
      title={title}
      fields={[
        {
          name: 'productId',
          label: t('orders.product'),
          kind: 'choice',
          options: terms ? choices.filter(({ value }) => value === terms.productId) : choices,
          initial: terms?.productId,
          required: true,
          onChange: setProductId,
        },
        { name: 'enabled', label: t('people.enabled'), kind: 'flag', initial: terms?.enabled ?? true },
        { name: 'ratePpm', label: t('terms.rate'), kind: 'percent', initial: terms?.ratePpm, required: true },
        money('fixedFee', 0),
        money('minAmount'),
        money('maxAmount'),
        ...(ownerKind === 'agent'
          ? []
          : [
              {
                name: 'dailyCountLimit',
                label: t('accounts.dailyCountLimit'),
                hint: t('accounts.noLimitHint'),
                kind: 'whole' as const,
                max: 10_000_000,
                initial: terms?.dailyCountLimit,
              },
              {
                name: 'dailyAmountLimit',
                label: t('accounts.dailyAmountLimit'),
                hint: t('accounts.noLimitHint'),
                kind: 'money' as const,
                currency,
                initial: terms?.dailyAmountLimit,
              },
            ]),
        ...(ownerKind === 'supplier'
          ? [
              {
                name: 'weight',
                label: t('accounts.weight'),
                hint: t('accounts.weightHint'),
                kind: 'whole' as const,
                max: 10_000,
                initial: terms?.weight ?? 100,
              },
            ]
          : []),
        { name: 'effectiveTime', label: t('terms.effective'), hint: t('terms.effectiveHint'), kind: 'time' },
      ]}
      consequence={t('terms.consequence')}
      okText={t('terms.set')}
      onSubmit={async (values) => {
        const input = { ownerKind, ownerId, ...values } as InputOf<typeof endpoints.terms.setUserProduct>;
        await send(endpoints.terms.setUserProduct, input, t('terms.done'));
      }}
      onClose={onClose}
    />
  );
}
