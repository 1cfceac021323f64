import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import type { InputOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';
import { type Beneficiary, placeOf } from './beneficiary.ts';

interface BeneficiaryDialogProps {
  /** The beneficiary to replace. */
  readonly before?: Beneficiary | undefined;
  readonly onClose: () => void;
}

/** Asks for a new beneficiary, or for the replacement of one. Nothing changes until a second person agrees. */
export function BeneficiaryDialog({ before, onClose }: BeneficiaryDialogProps) {
  const { t } = useTranslation();
  const send = useSend(endpoints.withdrawal.getBeneficiaries, endpoints.todo.getStarted);
  // One key per dialog: a double click, or a new try after a lost answer, makes one request.
  const [requestKey] = useState(() => crypto.randomUUID());
  const ofBank = (
    field: Pick<DialogField, 'name' | 'label' | 'initial'> & { readonly maxLength: number },
  ): DialogField => ({
    ...field,
    kind: 'text',
    required: true,
    when: ({ kind }) => kind === 'bank',
  });
  const fields: readonly DialogField[] = [
    {
      name: 'kind',
      label: t('withdrawal.kind'),
      kind: 'choice',
      options: [
        { value: 'bank', label: t('withdrawal.bank') },
        { value: 'upi', label: t('withdrawal.upi') },
      ],
      initial: before?.kind ?? 'bank',
      required: true,
    },
    {
      name: 'userName',
      label: t('withdrawal.userName'),
      hint: t('withdrawal.userNameHint'),
      kind: 'text',
      maxLength: 128,
      initial: before?.userName,
      required: true,
    },
    ofBank({ name: 'bankName', label: t('withdrawal.bankName'), maxLength: 128, initial: before?.bankName }),
    ofBank({ name: 'cardNumber', label: t('withdrawal.cardNumber'), maxLength: 20 }),
    ofBank({ name: 'ifscCode', label: 'IFSC', maxLength: 11, initial: before?.ifscCode }),
    {
      name: 'vpa',
      label: 'VPA',
      kind: 'text',
      maxLength: 320,
      required: true,
      when: ({ kind }) => kind === 'upi',
    },
    { name: 'reason', label: t('fund.reason'), kind: 'lines', maxLength: 256, required: true },
  ];
  const title = t(before ? 'withdrawal.change' : 'withdrawal.add');
  return (
    <FormDialog
      title={title}
      {...(before ? { facts: [[t('withdrawal.before'), `${before.userName} · ${placeOf(before)}`]] } : {})}
      fields={fields}
      consequence={t('withdrawal.askConsequence')}
      okText={t('money.ask')}
      onSubmit={async (values) => {
        const asked = values as Omit<InputOf<typeof endpoints.withdrawal.askForBeneficiary>, 'requestKey'>;
        await send(
          endpoints.withdrawal.askForBeneficiary,
          { ...asked, requestKey, ...(before ? { replaces: before.id } : {}) },
          t('people.saved'),
        );
      }}
      onClose={onClose}
    />
  );
}
