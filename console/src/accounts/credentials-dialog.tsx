import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import type { InputOf } from '../http/call-types.ts';
import { type Account, labelOf } from './account.ts';
import { credentialsOf, useGatewayKeys, useGatewayMaker, useWebhookSecret } from './gateway-fields.ts';
import { useAccountSend } from './use-account-send.ts';

interface CredentialsDialogProps {
  readonly account: Pick<Account, 'bank' | 'accountNumber' | 'credentialsSet'> & {
    readonly id: string;
    /** Absent for the account of a gateway. */
    readonly mpesaType?: Account['mpesaType'];
    /** Absent for an account that pays. */
    readonly direction?: Account['direction'];
  };
  readonly onClose: () => void;
}

/** Sets a gateway's credentials; replacing them waits for a second person. */
export function CredentialsDialog({ account, onClose }: CredentialsDialogProps) {
  const { t } = useTranslation();
  const send = useAccountSend();
  const direction = account.direction ?? 'out';
  const maker = useGatewayMaker(direction, true);
  const keys = useGatewayKeys();
  const webhook = useWebhookSecret();
  const isMpesa = (account.mpesaType ?? null) !== null;
  return (
    <FormDialog
      title={`${t('accounts.credentials')} · ${labelOf(account)}`}
      fields={[
        // The gateway cannot be changed once there are keys: only the gateway that a payout was sent through can be asked about it.
        ...(account.credentialsSet || isMpesa ? [] : maker),
        ...keys,
        ...(isMpesa ? mpesaFields(t) : [webhook]),
        ...(account.credentialsSet
          ? [{ name: 'reason', label: t('fund.reason'), kind: 'lines' as const, required: true }]
          : []),
      ]}
      consequence={t(consequenceOf(account.credentialsSet, isMpesa ? 'out' : direction))}
      okText={t('people.save')}
      onSubmit={async (values) => {
        const input = { id: account.id, ...values, ...credentialsOf(values) } as InputOf<
          typeof endpoints.account.setGatewayCredentials
        >;
        await send(endpoints.account.setGatewayCredentials, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}

function consequenceOf(isSet: boolean, direction: Account['direction']) {
  if (isSet) return 'accounts.replaceConsequence';
  return direction === 'in' ? 'accounts.setInConsequence' : 'accounts.setConsequence';
}

/** Fields of M-Pesa: for payment requests to payers' phones, and for payouts. */
function mpesaFields(t: TFunction) {
  return [
    {
      name: 'passkey',
      label: t('accounts.passkey'),
      hint: t('accounts.passkeyHint'),
      kind: 'password' as const,
    },
    { name: 'initiatorName', label: t('accounts.initiatorName'), kind: 'text' as const, maxLength: 64 },
    {
      name: 'securityCredential',
      label: t('accounts.securityCredential'),
      hint: t('accounts.securityCredentialHint'),
      kind: 'password' as const,
    },
  ];
}
