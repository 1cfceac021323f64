import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { KycState } from '../figures/kyc-state.tsx';
import { Moment } from '../figures/moment.tsx';
import type { InputOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import {
  KYC_ANSWERS,
  type KycAnswer,
  type KycRecord,
  KycReviewDialog,
} from '../parties/kyc-review-dialog.tsx';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';

const VERDICTS = ['pending', 'approved', 'rejected', 'expired'] as const;
const SUBJECTS = ['merchant', 'supplier', 'account'] as const;

/** All KYC records and proofs of ownership: those that wait for a reviewer, and those decided. */
export function KycReviewScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const [asked, setAsked] = useState<KycAnswer>();
  const definition: ListDefinition<KycRecord, InputOf<typeof endpoints.kyc.getKycList>> = {
    name: 'kycReview',
    title: title(screen),
    call: endpoints.kyc.getKycList,
    keyOf: ({ id }) => id,
    emptyText: t('kycRecords.none'),
    filters: [
      {
        name: 'verdict',
        param: 'v',
        kind: 'choice',
        label: t('kycRecords.verdict'),
        pinned: true,
        values: VERDICTS,
        options: VERDICTS.map((value) => ({ value, label: t(`kyc.${value}`) })),
      },
      {
        name: 'subjectKind',
        param: 'k',
        kind: 'choice',
        label: t('kycRecords.subject'),
        pinned: true,
        values: SUBJECTS,
        options: SUBJECTS.map((value) => ({ value, label: t(`kycRecords.subjectKind.${value}`) })),
      },
    ],
    columns: [
      {
        key: 'subjectName',
        title: t('kycRecords.subject'),
        names: true,
        render: ({ subjectName }) => subjectName,
      },
      {
        key: 'subjectKind',
        title: t('kycRecords.kind'),
        render: ({ subjectKind }) => t(`kycRecords.subjectKind.${subjectKind}`),
      },
      {
        key: 'verdict',
        words: 'kyc',
        title: t('kycRecords.verdict'),
        render: ({ verdict }) => <KycState state={verdict} />,
      },
      {
        key: 'documentReference',
        title: t('kycRecords.reference'),
        render: ({ documentReference }) => documentReference,
      },
      { key: 'submittedBy', title: t('kycRecords.submittedBy'), render: ({ submittedBy }) => submittedBy },
      {
        key: 'submitTime',
        title: t('kycRecords.submitTime'),
        render: ({ submitTime }) => <Moment time={submitTime} />,
      },
      {
        key: 'expiresTime',
        title: t('kycRecords.expires'),
        render: ({ expiresTime }) => <Moment time={expiresTime} />,
      },
      {
        key: 'reviewedBy',
        title: t('kycRecords.reviewer'),
        render: ({ reviewedBy }) => reviewedBy ?? '–',
      },
      {
        key: 'reviewTime',
        title: t('kycRecords.reviewTime'),
        optional: true,
        render: ({ reviewTime }) => <Moment time={reviewTime} />,
      },
      { key: 'note', title: t('kycRecords.note'), render: ({ note }) => note ?? '–' },
    ],
    actionsOf: (record) =>
      record.mayReview
        ? (['approved', 'rejected'] as const).map((verdict) => ({
            key: verdict,
            label: t(`approvalActions.${KYC_ANSWERS[verdict]}`),
            primary: verdict === 'approved',
            run: () => setAsked({ record, verdict }),
          }))
        : [],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {asked && <KycReviewDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
