import { useTranslation } from 'react-i18next';
import { SIGN_TYPES } from '@sangam/contract/sign-types.ts';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import type { InputOf } from '../http/call-types.ts';
import { type Merchant, PARTY_LISTS } from '../parties/party.ts';

interface DialogProps {
  readonly onClose: () => void;
}

const PLATFORM = 'platform';

export function useMerchantFields(merchant?: Merchant): readonly DialogField[] {
  const { t } = useTranslation();
  return [
    {
      name: 'signType',
      label: t('people.signType'),
      kind: 'choice',
      options: SIGN_TYPES.toReversed().map((value) => ({ value, label: value })),
      initial: merchant?.signType ?? 'hmac-sha256-v2',
      required: true,
    },
    {
      name: 'callbackTransport',
      label: t('people.callbackTransport'),
      kind: 'choice',
      options: [
        { value: PLATFORM, label: t('people.platformTransport') },
        { value: 'json', label: 'POST JSON' },
        { value: 'form', label: 'POST form' },
        { value: 'query', label: 'GET query' },
      ],
      initial: merchant?.callbackTransport ?? PLATFORM,
      required: true,
    },
  ];
}

export const transportOf = (values: Readonly<Record<string, unknown>>) =>
  values['callbackTransport'] === PLATFORM ? null : values['callbackTransport'];

export function EditMerchantDialog({ merchant, onClose }: DialogProps & { readonly merchant: Merchant }) {
  const { t } = useTranslation();
  const send = useSend(...PARTY_LISTS);
  const fields = useMerchantFields(merchant);
  return (
    <FormDialog
      title={`${t('people.edit')} · ${merchant.name}`}
      fields={[
        { name: 'name', label: t('people.name'), kind: 'text', initial: merchant.name, required: true },
        { name: 'enabled', label: t('people.enabled'), kind: 'flag', initial: merchant.enabled },
        ...fields,
        { name: 'cancelByMd5', label: t('people.cancelByMd5'), kind: 'flag', initial: merchant.cancelByMd5 },
      ]}
      okText={t('people.save')}
      onSubmit={async (values) => {
        const input = { id: merchant.id, ...values, callbackTransport: transportOf(values) } as InputOf<
          typeof endpoints.merchant.updateMerchant
        >;
        await send(endpoints.merchant.updateMerchant, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}
