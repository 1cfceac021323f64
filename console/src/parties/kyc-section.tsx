import { Alert, Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { NothingYet, Section } from '../figures/details.tsx';
import { KycState } from '../figures/kyc-state.tsx';
import { TextButton } from '../figures/text-button.tsx';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import type { InputOf } from '../http/call-types.ts';
import { useNames } from '../language/names.ts';
import { useMayCall } from '../session/may-call.ts';
import { KYC_ANSWERS, type KycAnswer, type KycRecord, KycReviewDialog } from './kyc-review-dialog.tsx';
import styles from './parties.module.css';
import { PARTY_LISTS } from './party.ts';

interface KycSectionProps {
  readonly subjectKind: KycRecord['subjectKind'];
  readonly subjectId: string;
  readonly title: string;
}

/** KYC records of a party, or proofs of ownership of an account: one person submits them, another reviews them. */
export function KycSection({ subjectKind, subjectId, title }: KycSectionProps) {
  const { t } = useTranslation();
  const name = useNames();
  const mayCall = useMayCall();
  const send = useSend(endpoints.kyc.getKycList, endpoints.party.getResourceList, ...PARTY_LISTS);
  const [asked, setAsked] = useState<'submit' | KycAnswer>();
  const { data, error, isLoading } = useCall(endpoints.kyc.getKycList, { subjectKind, subjectId });
  const records = data?.list ?? [];
  const close = () => setAsked(undefined);
  return (
    <Section
      title={title}
      {...(data && { count: records.length })}
      extra={
        mayCall(endpoints.kyc.submitKyc) && (
          <Button size="small" onClick={() => setAsked('submit')}>
            {t('kycRecords.submit')}
          </Button>
        )
      }
    >
      {isLoading && <Skeleton active />}
      {!data && error && <Alert type="error" showIcon title={error.message} />}
      {data && records.length === 0 && <NothingYet text={t('kycRecords.none')} />}
      <ul className={styles['rows']}>
        {records.map((record) => (
          <li key={record.id}>
            <KycState state={record.verdict} />
            <span className={styles['rowName']}>{record.documentReference}</span>
            <span>{`${name('actors', record.submittedBy)}, ${record.submitTime}`}</span>
            {record.reviewedBy && (
              <span>
                {t('kycRecords.reviewedBy', { name: name('actors', record.reviewedBy) })}
                {record.note && `: ${record.note}`}
              </span>
            )}
            {record.expiresTime && <span>{t('kycRecords.until', { time: record.expiresTime })}</span>}
            {record.mayReview &&
              (['approved', 'rejected'] as const).map((verdict) => (
                <TextButton
                  key={verdict}
                  text={t(`approvalActions.${KYC_ANSWERS[verdict]}`)}
                  label={`${t(`approvalActions.${KYC_ANSWERS[verdict]}`)} ${record.documentReference}`}
                  onClick={() => setAsked({ record, verdict })}
                />
              ))}
          </li>
        ))}
      </ul>
      {asked === 'submit' && (
        <FormDialog
          title={t('kycRecords.submit')}
          fields={[
            {
              name: 'documentReference',
              label: t('kycRecords.reference'),
              hint: t('kycRecords.referenceHint'),
              kind: 'text',
              maxLength: 500,
              required: true,
            },
            { name: 'expiresTime', label: t('kycRecords.expires'), kind: 'time' },
          ]}
          consequence={t('kycRecords.submitConsequence')}
          okText={t('kycRecords.submit')}
          onSubmit={async (values) => {
            const input = { subjectKind, subjectId, ...values } as InputOf<typeof endpoints.kyc.submitKyc>;
            await send(endpoints.kyc.submitKyc, input, t('kycRecords.submitted'));
          }}
          onClose={close}
        />
      )}
      {typeof asked === 'object' && <KycReviewDialog {...asked} onClose={close} />}
    </Section>
  );
}
