import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import type { InputOf } from '../http/call-types.ts';
import { type Account, labelOf } from './account.ts';
import type { AreaProduct } from './area-products.ts';
import { useAccountSend } from './use-account-send.ts';

interface ResourceDialogProps {
  readonly account: Account;
  /** The products the account may be bound to. With one product, the dialog changes its limits. */
  readonly products: readonly AreaProduct[];
  readonly start:
    | { readonly minAmount: number; readonly maxAmount: number; readonly weight: number }
    | undefined;
  readonly onClose: () => void;
}

/** Binds an account to a product, or changes its limits for the product. */
export function ResourceDialog({ account, products, start, onClose }: ResourceDialogProps) {
  const { t } = useTranslation();
  const send = useAccountSend();
  const { currency } = account;
  return (
    <FormDialog
      title={labelOf(account)}
      fields={[
        {
          name: 'productId',
          label: t('orders.product'),
          kind: 'choice',
          options: products.map(({ id, label }) => ({ value: id, label: `${id} ${label}` })),
          initial: products.length === 1 ? products[0]!.id : undefined,
          required: true,
        },
        {
          name: 'minAmount',
          label: t('terms.minAmount'),
          kind: 'money',
          currency,
          initial: start?.minAmount,
          required: true,
        },
        {
          name: 'maxAmount',
          label: t('terms.maxAmount'),
          kind: 'money',
          currency,
          initial: start?.maxAmount,
          required: true,
        },
        {
          name: 'weight',
          label: t('accounts.weight'),
          hint: t('accounts.weightHint'),
          kind: 'whole',
          max: 10_000,
          initial: start?.weight ?? 100,
          required: true,
        },
      ]}
      okText={t('people.save')}
      onSubmit={async (resource) => {
        const input = { id: account.id, products: [resource] } as InputOf<
          typeof endpoints.account.updateAccount
        >;
        await send(endpoints.account.updateAccount, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}
