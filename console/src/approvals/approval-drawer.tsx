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
import { DecisionPreview, type EarlySum } from './decision-preview.tsx';
import { useRequestFacts } from './request-facts.tsx';
import styles from './approvals.module.css';
import { type Approval, type ApprovalAnswer, requestName } from './approval.ts';
import { ApprovalState } from './approval-state.tsx';
import { ApprovalSubject } from './approval-subject.tsx';
import { PayoutFormat } from './payout-format.tsx';
import { takesTermsBack } from './request-fields.ts';

type StartedCall = typeof endpoints.todo.getStarted;

interface ApprovalDrawerProps {
  readonly id: string;
  readonly isMine: boolean;
  readonly onAnswer: (approval: Approval, answer: ApprovalAnswer) => void;
  readonly onClose: () => void;
}

/** All of one request: what will be executed, who asked, and the outcome. */
export function ApprovalDrawer({ id, isMine, onAnswer, onClose }: ApprovalDrawerProps) {
  const { t } = useTranslation();
  const name = useNames();
  const requestFacts = useRequestFacts();
  const approval = useListedRow<InputOf<StartedCall>, Approval>(
    isMine ? endpoints.todo.getMine : endpoints.todo.getStarted,
    id,
  );
  return (
    <RowDrawer width={560} onClose={onClose} title={approval ? requestName(name, approval) : id}>
      {approval ? (
        <>
          <div className={styles['lead']}>
            <ApprovalState status={approval.status} />
            <div className={styles['answers']} role="group" aria-label={t('list.actions')}>
              {approval.actions.map((answer) => (
                <Button
                  key={answer}
                  {...(answer === 'approve' ? { type: 'primary' as const } : {})}
                  danger={answer === 'refuse'}
                  onClick={() => onAnswer(approval, answer)}
                >
                  {name('approvalActions', answer)}
                </Button>
              ))}
            </div>
          </div>
          <Facts
            facts={[
              [t('todo.subject'), <ApprovalSubject approval={approval} />],
              approval.amount !== null &&
                approval.currency !== null && [
                  t('approvalFields.amount'),
                  <Money minor={approval.amount} currency={approval.currency} strong />,
                ],
              [t('fund.reason'), approval.reason],
              [t('todo.startedBy'), approval.startedBy],
              [t('todo.startTime'), <Moment time={approval.startTime} exact />],
              [t('todo.expireTime'), <Moment time={approval.expireTime} exact />],
              approval.decidedBy !== null && [t('todo.decidedBy'), name('actors', approval.decidedBy)],
              approval.decideTime !== null && [
                t('todo.decideTime'),
                <Moment time={approval.decideTime} exact />,
              ],
              approval.decideReason !== null && [t('todo.decideReason'), approval.decideReason],
            ]}
          />
          <Section title={t('todo.request')}>
            {takesTermsBack(approval.payload) && <p>{t('todo.takesBack')}</p>}
            <Facts facts={requestFacts(approval.payload, approval.currency)} />
          </Section>
          {approval.kind === 'payoutTemplate' && (
            <PayoutFormat templateId={approval.subjectId} version={Number(approval.payload['version'])} />
          )}
          {approval.actions.includes('approve') && (
            <DecisionPreview
              id={id}
              movesMoney={approval.amount !== null}
              earlySums={
                approval.kind === 'earlySettlement' ? (approval.payload['sums'] as EarlySum[]) : undefined
              }
            />
          )}
          {approval.result && (
            <Section title={t('todo.result')}>
              <Facts facts={requestFacts(approval.result, approval.currency)} />
            </Section>
          )}
        </>
      ) : (
        <NothingYet text={t('messages.notOnPage')} />
      )}
    </RowDrawer>
  );
}
