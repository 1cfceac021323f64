import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CODES } from '@sangam/contract/codes.ts';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { OnceDialog, type ShownOnce } from '../dialogs/once-dialog.tsx';
import { CallError, isHandled } from '../http/call-error.ts';
import type { InputOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { PARTY_LISTS } from '../parties/party.ts';
import { useStandsOn } from '../parties/stands-on.ts';
import { transportOf, useMerchantFields } from './merchant-dialogs.tsx';

interface NewMerchantDialogProps {
  /** Called with the new merchant's id; its drawer shows what is still missing. */
  readonly onMade: (id: string) => void;
  readonly onClose: () => void;
}

/** Optional first needs of a new merchant: whose terms to copy, and where its KYC documents are. Both may come later. */
function useFirstNeeds(): readonly DialogField[] {
  const { t } = useTranslation();
  const { data } = useCall(endpoints.party.getOptions, {});
  return [
    {
      name: 'fromId',
      label: t('people.copyTerms'),
      hint: t('people.copyTermsHint'),
      kind: 'choice',
      options: (data?.merchants ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      name: 'documentReference',
      label: t('people.kycReference'),
      hint: t('kycRecords.referenceHint'),
      kind: 'text',
      maxLength: 500,
    },
  ];
}

/** Creates a merchant, with terms and a KYC record that wait for a second person. The merchant's own user issues its secret. */
export function NewMerchantDialog({ onMade, onClose }: NewMerchantDialogProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const send = useSend(...PARTY_LISTS, endpoints.terms.getUserProductList, endpoints.kyc.getKycList);
  const standsOn = useStandsOn('merchant');
  const needs = useFirstNeeds();
  const fields = useMerchantFields();
  const [made, setMade] = useState<{ readonly id: string; readonly secrets: readonly ShownOnce[] }>();
  if (made)
    return (
      <OnceDialog title={t('people.merchantMade')} secrets={made.secrets} onClose={() => onMade(made.id)} />
    );

  /** The merchant exists whatever happens here. A failure is shown, and the drawer offers the same step again. */
  const tell = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      if (error instanceof CallError && error.code === CODES.approvalNeeded.code) message.info(error.message);
      else if (!isHandled(error)) message.error(error instanceof Error ? error.message : String(error));
    });

  return (
    <FormDialog
      title={t('people.newMerchant')}
      fields={[...standsOn, ...needs, ...fields]}
      consequence={t('people.newMerchantConsequence')}
      okText={t('people.create')}
      onSubmit={async ({ fromId, documentReference, ...values }) => {
        const { createMerchant } = endpoints.merchant;
        const input = { ...values, callbackTransport: transportOf(values) } as InputOf<typeof createMerchant>;
        const { id, supplier } = await send(createMerchant, input, t('people.merchantMade'));
        if (typeof fromId === 'string')
          await tell(send(endpoints.terms.copyUserProducts, { ownerId: id, fromId }, t('terms.done')));
        if (typeof documentReference === 'string') {
          const record = { subjectKind: 'merchant', subjectId: id, documentReference } as const;
          await tell(send(endpoints.kyc.submitKyc, record, t('kycRecords.submitted')));
        }
        if (supplier)
          setMade({ id, secrets: [{ label: t('people.relatedSupplier'), value: supplier.account }] });
        else onMade(id);
        return 'stay';
      }}
      onClose={onClose}
    />
  );
}
