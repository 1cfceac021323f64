import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { APPROVAL_KINDS, APPROVAL_STATUSES } from '@sangam/contract/approvals.ts';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { FilterField, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { AnswerDialog } from './answer-dialog.tsx';
import { type Approval, type ApprovalAnswer, requestName } from './approval.ts';
import { ApprovalDrawer } from './approval-drawer.tsx';
import { ApprovalState } from './approval-state.tsx';
import { ApprovalSubject } from './approval-subject.tsx';

type StartedCall = typeof endpoints.todo.getStarted;

/** Requests for a second person: those that wait for the viewer, and those the viewer made. */
export function ApprovalsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const [asked, setAsked] = useState<{
    readonly approval: Approval;
    readonly answer: ApprovalAnswer;
    readonly onDone?: () => void;
  }>();
  const isMine = screen.path === '/todo/mine';

  const statusFilter: FilterField<'status'> = {
    name: 'status',
    param: 's',
    kind: 'choice',
    label: t('todo.status'),
    pinned: true,
    values: APPROVAL_STATUSES,
    options: APPROVAL_STATUSES.map((status) => ({ value: status, label: name('approvalStatus', status) })),
  };
  const definition: ListDefinition<Approval, InputOf<StartedCall>> = {
    name: isMine ? 'todo.mine' : 'todo.started',
    title: title(screen),
    call: isMine ? endpoints.todo.getMine : endpoints.todo.getStarted,
    keyOf: (approval) => approval.id,
    changes: 'todo',
    emptyText: t(isMine ? 'todo.nothingWaits' : 'todo.nothingStarted'),
    filters: [
      {
        name: 'kind',
        param: 'k',
        kind: 'choice',
        label: t('todo.kind'),
        pinned: true,
        values: APPROVAL_KINDS,
        options: APPROVAL_KINDS.map((kind) => ({ value: kind, label: name('approvalKinds', kind) })),
      },
      ...(isMine ? [] : [statusFilter]),
    ],
    columns: [
      {
        key: 'kind',
        words: 'approvalKinds',
        title: t('todo.kind'),
        names: true,
        render: (approval) => requestName(name, approval),
      },
      {
        key: 'subject',
        parts: [
          { field: 'subjectName', title: t('todo.subject') },
          { field: 'subjectId', title: `${t('todo.subject')} · ID` },
        ],
        title: t('todo.subject'),
        render: (approval) => <ApprovalSubject approval={approval} />,
      },
      {
        key: 'amount',
        title: t('approvalFields.amount'),
        align: 'right',
        render: (approval) =>
          approval.currency ? <Money minor={approval.amount} currency={approval.currency} strong /> : '–',
      },
      { key: 'reason', title: t('fund.reason'), render: (approval) => approval.reason ?? '–' },
      ...(isMine
        ? [
            {
              key: 'startedBy',
              title: t('todo.startedBy'),
              render: (approval: Approval) => approval.startedBy,
            },
          ]
        : [
            {
              key: 'status',
              title: t('todo.status'),
              render: (approval: Approval) => <ApprovalState status={approval.status} />,
            },
            {
              key: 'decidedBy',
              title: t('todo.decidedBy'),
              render: ({ decidedBy }: Approval) => (decidedBy === null ? '–' : name('actors', decidedBy)),
            },
          ]),
      {
        key: 'startTime',
        title: t('todo.startTime'),
        render: (approval) => <Moment time={approval.startTime} />,
      },
      {
        key: 'expireTime',
        title: t('todo.expireTime'),
        render: (approval) => <Moment time={approval.expireTime} />,
      },
    ],
    actionsOf: (approval) =>
      approval.actions.map((answer) => ({
        key: answer,
        label: name('approvalActions', answer),
        run: () => setAsked({ approval, answer }),
      })),
    drawer: (id, close) => (
      <ApprovalDrawer
        id={id}
        isMine={isMine}
        onAnswer={(approval, answer) => setAsked({ approval, answer, onDone: close })}
        onClose={close}
      />
    ),
  };
  return (
    <>
      <ListScreen definition={definition} />
      {asked && <AnswerDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
