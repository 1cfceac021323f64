import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { GATEWAY_PROVIDERS } from '@sangam/contract/gateways.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useCall } from '../http/use-call.ts';
import type { InputOf } from '../operator-table/call-types.ts';
import { type Account, labelOf } from './account.ts';
import { useAccountSend } from './use-account-send.ts';

interface CredentialsDialogProps {
  readonly account: Pick<Account, 'bank' | 'accountNumber' | 'credentialsSet'> & {
    readonly id: string;
    /** Absent: a gateway's. */
    readonly mpesaType?: Account['mpesaType'];
  };
  readonly onClose: () => void;
}

/** Sets a gateway's credentials; replacing them waits for a second person. */
export function CredentialsDialog({ account, onClose }: CredentialsDialogProps) {
  const { t } = useTranslation();
  const send = useAccountSend();
  const scripts = useCall(endpoints.payScript.getPayScriptOptions, {});
  const isMpesa = (account.mpesaType ?? null) !== null;
  return (
    <FormDialog
      title={`${t('accounts.credentials')} · ${labelOf(account)}`}
      fields={[
        // Fixed once there are keys: what was sent through one maker's API can be asked about there only.
        ...(account.credentialsSet || isMpesa
          ? []
          : [
              {
                name: 'provider',
                label: t('gateways.provider'),
                kind: 'choice' as const,
                required: true,
                initial: 'razorpayx',
                options: GATEWAY_PROVIDERS.map((value) => ({
                  value,
                  label: t(`gateways.providers.${value}`),
                })),
              },
              {
                name: 'payScriptId',
                label: t('gateways.script'),
                kind: 'choice' as const,
                required: true,
                when: ({ provider }: Readonly<Record<string, unknown>>) => provider === 'script',
                options: (scripts.data?.list ?? []).map(({ id, name }) => ({ value: id, label: name })),
              },
            ]),
        { name: 'keyId', label: t('accounts.keyId'), kind: 'text', maxLength: 256, required: true },
        {
          name: 'keySecret',
          label: t('accounts.keySecret'),
          hint: t('accounts.keySecretHint'),
          kind: 'password',
          required: true,
        },
        ...(isMpesa ? mpesaFields(t) : [webhookField(t)]),
        ...(account.credentialsSet
          ? [{ name: 'reason', label: t('fund.reason'), kind: 'lines' as const, required: true }]
          : []),
      ]}
      consequence={t(account.credentialsSet ? 'accounts.replaceConsequence' : 'accounts.setConsequence')}
      okText={t('people.save')}
      onSubmit={async (values) => {
        const input = { id: account.id, ...values } as InputOf<
          typeof endpoints.account.setGatewayCredentials
        >;
        await send(endpoints.account.setGatewayCredentials, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}

function webhookField(t: TFunction) {
  return {
    name: 'webhookSecret',
    label: t('gateways.webhookSecret'),
    hint: t('gateways.webhookSecretHint'),
    kind: 'password' as const,
  };
}

/** For requests to payers' phones, and for payouts. */
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
