import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Copyable } from '../figures/copyable.tsx';
import type { InputOf } from '../http/call-types.ts';
import { type Account, labelOf } from './account.ts';
import styles from './account.module.css';
import { useAccountSend } from './use-account-send.ts';

interface RevealDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** Shows one masked value, for a stated reason. Closing the dialog hides it. The audit records that it was shown. */
export function RevealDialog({ account, onClose }: RevealDialogProps) {
  const { t } = useTranslation();
  const send = useAccountSend();
  const [shown, setShown] = useState<string>();
  const fields = ['accountNumber', ...(account.vpa === null ? [] : ['vpa']), 'qrCode'] as const;
  return (
    <FormDialog
      title={`${t('accounts.reveal')} · ${labelOf(account)}`}
      fields={[
        {
          name: 'field',
          label: t('accounts.revealField'),
          kind: 'choice',
          options: fields.map((value) => ({
            value,
            label: t(`accounts.revealFields.${value as 'vpa'}`),
          })),
          initial: 'accountNumber',
          required: true,
        },
        { name: 'reason', label: t('fund.reason'), kind: 'lines', required: true },
      ]}
      consequence={t('accounts.revealConsequence')}
      okText={t('accounts.reveal')}
      onSubmit={async (values) => {
        const input = { id: account.id, ...values } as InputOf<typeof endpoints.account.revealAccount>;
        setShown((await send(endpoints.account.revealAccount, input, t('accounts.revealed'))).value);
        return 'stay';
      }}
      onClose={onClose}
    >
      {shown &&
        (shown.startsWith('data:') ? (
          <div className={styles['qr']}>
            <img src={shown} alt={t('accounts.qrAlt', { account: labelOf(account) })} width={200} />
          </div>
        ) : (
          <p className={styles['revealed']} role="status">
            <Copyable text={shown} limit={64} />
          </p>
        ))}
    </FormDialog>
  );
}
