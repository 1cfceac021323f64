import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Facts, NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import { useListedRow } from '../operator-table/use-listed-row.ts';
import { DecisionPreview } from './decision-preview.tsx';
import { useRequestFacts } from './request-facts.tsx';
import styles from './todo.module.css';
import type { Todo, TodoAnswer } from './todo.ts';
import { TodoState } from './todo-state.tsx';
import { TodoSubject } from './todo-subject.tsx';

type StartedCall = typeof endpoints.todo.getStarted;

interface TodoDrawerProps {
  readonly id: string;
  readonly isMine: boolean;
  readonly onAnswer: (todo: Todo, answer: TodoAnswer) => void;
  readonly onClose: () => void;
}

/** A request whole: what will be executed, who asked, and what became of it. */
export function TodoDrawer({ id, isMine, onAnswer, onClose }: TodoDrawerProps) {
  const { t } = useTranslation();
  const name = useNames();
  const requestFacts = useRequestFacts();
  const todo = useListedRow<InputOf<StartedCall>, Todo>(
    isMine ? endpoints.todo.getMine : endpoints.todo.getStarted,
    id,
  );
  return (
    <RowDrawer width={560} onClose={onClose} title={todo ? name('approvalKinds', todo.kind) : id}>
      {todo ? (
        <>
          <div className={styles['lead']}>
            <TodoState status={todo.status} />
            <div className={styles['answers']} role="group" aria-label={t('list.actions')}>
              {todo.actions.map((answer) => (
                <Button
                  key={answer}
                  {...(answer === 'approve' ? { type: 'primary' as const } : {})}
                  danger={answer === 'refuse'}
                  onClick={() => onAnswer(todo, answer)}
                >
                  {name('approvalActions', answer)}
                </Button>
              ))}
            </div>
          </div>
          <Facts
            facts={[
              [t('todo.subject'), <TodoSubject todo={todo} />],
              todo.amount !== null &&
                todo.currency !== null && [
                  t('approvalFields.amount'),
                  <Money minor={todo.amount} currency={todo.currency} strong />,
                ],
              [t('fund.reason'), todo.reason],
              [t('todo.startedBy'), todo.startedBy],
              [t('todo.startTime'), <Moment time={todo.startTime} exact />],
              [t('todo.expireTime'), <Moment time={todo.expireTime} exact />],
              todo.decidedBy !== null && [t('todo.decidedBy'), todo.decidedBy],
              todo.decideTime !== null && [t('todo.decideTime'), <Moment time={todo.decideTime} exact />],
              todo.decideReason !== null && [t('todo.decideReason'), todo.decideReason],
            ]}
          />
          <Section title={t('todo.request')}>
            <Facts facts={requestFacts(todo.payload, todo.currency)} />
          </Section>
          {todo.actions.includes('approve') && <DecisionPreview id={id} movesMoney={todo.amount !== null} />}
          {todo.result && (
            <Section title={t('todo.result')}>
              <Facts facts={requestFacts(todo.result, todo.currency)} />
            </Section>
          )}
        </>
      ) : (
        <NothingYet text={t('messages.notOnPage')} />
      )}
    </RowDrawer>
  );
}
