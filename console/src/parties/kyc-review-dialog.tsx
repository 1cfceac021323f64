import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { PARTY_LISTS } from './party.ts';

export type KycRecord = RowOf<typeof endpoints.kyc.getKycList>;

/** A reviewer's answers, each with the name of its button in `approvalActions`. */
export const KYC_ANSWERS = { approved: 'approve', rejected: 'refuse' } as const;

export interface KycAnswer {
  readonly record: KycRecord;
  readonly verdict: keyof typeof KYC_ANSWERS;
}

/** Approves or rejects a record that another person submitted. */
export function KycReviewDialog({ record, verdict, onClose }: KycAnswer & { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const send = useSend(endpoints.kyc.getKycList, endpoints.party.getResourceList, ...PARTY_LISTS);
  const answer = t(`approvalActions.${KYC_ANSWERS[verdict]}`);
  return (
    <FormDialog
      title={`${answer} · ${record.subjectName}`}
      facts={[
        [t('kycRecords.reference'), record.documentReference],
        [t('kycRecords.submittedBy'), record.submittedBy],
      ]}
      fields={[
        { name: 'note', label: t('kycRecords.note'), kind: 'lines' },
        ...(verdict === 'approved'
          ? [
              {
                name: 'expiresTime',
                label: t('kycRecords.expires'),
                kind: 'time' as const,
                initial: record.expiresTime,
              },
            ]
          : []),
      ]}
      okText={answer}
      danger={verdict === 'rejected'}
      onSubmit={async (values) => {
        const input = { id: record.id, verdict, ...values } as InputOf<typeof endpoints.kyc.reviewKyc>;
        await send(endpoints.kyc.reviewKyc, input, t('kycRecords.reviewed'));
      }}
      onClose={onClose}
    />
  );
}
