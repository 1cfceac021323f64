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
import type { Todo, TodoAnswer } from './todo.ts';
import { TodoDrawer } from './todo-drawer.tsx';
import { TodoState } from './todo-state.tsx';
import { TodoSubject } from './todo-subject.tsx';

type StartedCall = typeof endpoints.todo.getStarted;

/** Requests that need a second pair of eyes: those that wait for the viewer, and those the viewer started. */
export function TodoScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const [asked, setAsked] = useState<{
    readonly todo: Todo;
    readonly answer: TodoAnswer;
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
  const definition: ListDefinition<Todo, InputOf<StartedCall>> = {
    name: isMine ? 'todo.mine' : 'todo.started',
    title: title(screen),
    call: isMine ? endpoints.todo.getMine : endpoints.todo.getStarted,
    keyOf: (todo) => todo.id,
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
        render: (todo) => name('approvalKinds', todo.kind),
      },
      {
        key: 'subject',
        parts: [
          { field: 'subjectName', title: t('todo.subject') },
          { field: 'subjectId', title: `${t('todo.subject')} · ID` },
        ],
        title: t('todo.subject'),
        render: (todo) => <TodoSubject todo={todo} />,
      },
      {
        key: 'amount',
        title: t('approvalFields.amount'),
        align: 'right',
        render: (todo) =>
          todo.currency ? <Money minor={todo.amount} currency={todo.currency} strong /> : '–',
      },
      { key: 'reason', title: t('fund.reason'), render: (todo) => todo.reason ?? '–' },
      ...(isMine
        ? [{ key: 'startedBy', title: t('todo.startedBy'), render: (todo: Todo) => todo.startedBy }]
        : [
            {
              key: 'status',
              title: t('todo.status'),
              render: (todo: Todo) => <TodoState status={todo.status} />,
            },
            { key: 'decidedBy', title: t('todo.decidedBy'), render: (todo: Todo) => todo.decidedBy ?? '–' },
          ]),
      { key: 'startTime', title: t('todo.startTime'), render: (todo) => <Moment time={todo.startTime} /> },
      { key: 'expireTime', title: t('todo.expireTime'), render: (todo) => <Moment time={todo.expireTime} /> },
    ],
    actionsOf: (todo) =>
      todo.actions.map((answer) => ({
        key: answer,
        label: name('approvalActions', answer),
        run: () => setAsked({ todo, answer }),
      })),
    drawer: (id, close) => (
      <TodoDrawer
        id={id}
        isMine={isMine}
        onAnswer={(todo, answer) => setAsked({ todo, answer, onDone: close })}
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
