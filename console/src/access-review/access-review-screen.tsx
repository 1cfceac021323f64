import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { ROLES } from '@sangam/contract/roles.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import { call } from '../http/client.ts';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { oneByOne } from '../operator-table/one-by-one.ts';
import { useMayCall } from '../session/may-call.ts';
import { ReviewState } from './review-state.tsx';

type ReviewCall = typeof endpoints.accessReview.getAccessReview;
type Reviewed = RowOf<ReviewCall>;

const VERDICTS = ['keep', 'remove'] as const;
type Verdict = (typeof VERDICTS)[number];
const DAYS = ['30', '60', '90'] as const;

function useColumns(): readonly ListColumn<Reviewed>[] {
  const { t } = useTranslation();
  const name = useNames();
  return [
    { key: 'account', title: t('people.account'), names: true, render: (row) => row.account },
    { key: 'nickname', title: t('people.name'), render: (row) => row.nickname },
    { key: 'role', words: 'roles', title: t('profile.role'), render: ({ role }) => name('roles', role) },
    {
      key: 'lastUseTime',
      title: t('accessReview.lastUse'),
      render: ({ lastUseTime }) =>
        lastUseTime === null ? t('accessReview.never') : <Moment time={lastUseTime} />,
    },
    {
      key: 'verdict',
      title: t('accessReview.verdict'),
      render: ({ verdict }) =>
        verdict === null ? (
          <Status tone="warning" label={t('accessReview.undecided')} />
        ) : (
          <Status tone={verdict === 'keep' ? 'positive' : 'negative'} label={t(`accessReview.${verdict}`)} />
        ),
    },
    { key: 'decidedBy', title: t('accessReview.decidedBy'), render: (row) => row.decidedBy ?? '–' },
    {
      key: 'decideTime',
      title: t('accessReview.decideTime'),
      render: ({ decideTime }) => (decideTime === null ? '–' : <Moment time={decideTime} />),
    },
    {
      key: 'createTime',
      title: t('people.createTime'),
      optional: true,
      render: (row) => <Moment time={row.createTime} />,
    },
  ];
}

/** The access review, due every 90 days: each user is kept or removed, and a second person signs. */
export function AccessReviewScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const mayDecide = useMayCall()(endpoints.accessReview.decideAccess);
  const state = useCall(endpoints.accessReview.getReviewState, {}).data;
  const send = useSend(endpoints.accessReview.getAccessReview, endpoints.accessReview.getReviewState);
  const [asked, setAsked] = useState<'begin' | 'sign'>();
  const open = state?.open ?? undefined;
  const decides = mayDecide && open !== undefined && open.todoId === null;
  const decide = (userId: string, verdict: Verdict) =>
    send(endpoints.accessReview.decideAccess, { userId, verdict }, t('people.saved')).catch(() => undefined);
  const definition: ListDefinition<Reviewed, InputOf<ReviewCall>> = {
    name: 'accessReview',
    title: title(screen),
    call: endpoints.accessReview.getAccessReview,
    keyOf: (row) => row.id,
    emptyText: t('accessReview.none'),
    Panel: ReviewState,
    tools: mayDecide && state && (
      <Button
        type="primary"
        disabled={open !== undefined && open.todoId !== null}
        onClick={() => setAsked(open ? 'sign' : 'begin')}
      >
        {t(open ? 'accessReview.sign' : 'accessReview.begin')}
      </Button>
    ),
    filters: [
      { name: 'account', param: 'q', kind: 'text', label: t('people.account'), pinned: true },
      {
        name: 'role',
        param: 'r',
        kind: 'choice',
        label: t('profile.role'),
        pinned: true,
        values: ROLES,
        options: ROLES.map((role) => ({ value: role, label: name('roles', role) })),
      },
      {
        name: 'verdict',
        param: 'v',
        kind: 'choice',
        label: t('accessReview.verdict'),
        pinned: true,
        values: [...VERDICTS, 'none'],
        options: [
          ...VERDICTS.map((verdict) => ({ value: verdict, label: t(`accessReview.${verdict}`) })),
          { value: 'none', label: t('accessReview.undecided') },
        ],
      },
      {
        name: 'unusedDays',
        param: 'u',
        kind: 'choice',
        label: t('accessReview.unused'),
        values: DAYS,
        options: DAYS.map((days) => ({ value: days, label: t('accessReview.days', { days }) })),
      },
    ],
    columns: useColumns(),
    actionsOf: (row) =>
      decides
        ? VERDICTS.filter((verdict) => verdict !== row.verdict).map((verdict) => ({
            key: verdict,
            label: t(`accessReview.${verdict}`),
            run: () => void decide(row.id, verdict),
          }))
        : [],
    ...(decides && {
      bulk: VERDICTS.map((verdict) => ({
        key: verdict,
        label: t(`accessReview.${verdict}`),
        consequence: t(`accessReview.${verdict}Consequence`),
        run: oneByOne<Reviewed>(
          ({ id }) => call(endpoints.accessReview.decideAccess, { userId: id, verdict }),
          t('people.saved'),
        ),
      })),
    }),
  };
  return (
    <>
      <ListScreen definition={definition} />
      {asked && <ReviewDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface ReviewDialogProps {
  readonly asked: 'begin' | 'sign';
  readonly onClose: () => void;
}

function ReviewDialog({ asked, onClose }: ReviewDialogProps) {
  const { t } = useTranslation();
  const send = useSend(endpoints.accessReview.getAccessReview, endpoints.accessReview.getReviewState);
  return (
    <FormDialog
      title={t(`accessReview.${asked}`)}
      fields={
        asked === 'sign'
          ? [{ name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true }]
          : []
      }
      consequence={t(`accessReview.${asked}Consequence`)}
      okText={t(`accessReview.${asked}`)}
      onSubmit={async ({ reason }) => {
        const done = t('people.saved');
        if (asked === 'begin') await send(endpoints.accessReview.beginAccessReview, {}, done);
        else await send(endpoints.accessReview.signAccessReview, { reason: reason as string }, done);
      }}
      onClose={onClose}
    />
  );
}
