import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { PARTY_LISTS } from './party.ts';

export type KycRecord = RowOf<typeof endpoints.kyc.getKycList>;

interface KycReviewDialogProps {
  readonly record: KycRecord;
  readonly onClose: () => void;
}

/** Approves or rejects a record that somebody else handed in. */
export function KycReviewDialog({ record, onClose }: KycReviewDialogProps) {
  const { t } = useTranslation();
  const send = useSend(endpoints.kyc.getKycList, endpoints.party.getResourceList, ...PARTY_LISTS);
  return (
    <FormDialog
      title={`${t('kycRecords.review')} · ${record.subjectName}`}
      facts={[
        [t('kycRecords.reference'), record.documentReference],
        [t('kycRecords.submittedBy'), record.submittedBy],
      ]}
      fields={[
        {
          name: 'verdict',
          label: t('kycRecords.verdict'),
          kind: 'choice',
          options: (['approved', 'rejected'] as const).map((value) => ({ value, label: t(`kyc.${value}`) })),
          required: true,
        },
        { name: 'note', label: t('kycRecords.note'), kind: 'lines' },
        { name: 'expiresTime', label: t('kycRecords.expires'), kind: 'time', initial: record.expiresTime },
      ]}
      okText={t('kycRecords.review')}
      onSubmit={async (values) => {
        const input = { id: record.id, ...values } as InputOf<typeof endpoints.kyc.reviewKyc>;
        await send(endpoints.kyc.reviewKyc, input, t('kycRecords.reviewed'));
      }}
      onClose={onClose}
    />
  );
}
