import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import type { InputOf } from '../http/call-types.ts';
import { type Account, type WholeAccount, labelOf } from './account.ts';
import { termsOf, useIdentityFields, useTermsFields } from './account-fields.ts';
import { useAccountSend } from './use-account-send.ts';

interface EditAccountDialogProps {
  readonly account: Account;
  readonly whole: WholeAccount;
  readonly onClose: () => void;
}

/** Changes limits, hours and lists. The owner can be changed only while no proof of ownership is approved or under review. */
export function EditAccountDialog({ account, whole, onClose }: EditAccountDialogProps) {
  const { t } = useTranslation();
  const send = useAccountSend();
  const identity = useIdentityFields(() => account.kind, false)
    .filter(({ name }) => name !== 'mpesaType')
    .map((field) => ({ ...field, hint: t('accounts.keepHint') }));
  const terms = useTermsFields(account.currency, { ...account, ...whole });
  return (
    <FormDialog
      title={`${t('people.edit')} · ${labelOf(account)}`}
      width={560}
      fields={[...(whole.identityFixed ? [] : identity), ...terms]}
      okText={t('people.save')}
      onSubmit={async (values) => {
        const input = { id: account.id, ...values, ...termsOf(values) } as InputOf<
          typeof endpoints.account.updateAccount
        >;
        await send(endpoints.account.updateAccount, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}
