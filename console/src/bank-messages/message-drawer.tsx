import { Button, Flex } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Facts, NothingYet } from '../figures/details.tsx';
import { MessageState } from '../figures/message-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { Verdict } from '../figures/verdict.tsx';
import { useNames } from '../language/names.ts';
import { useTabLocation, withParam } from '../navigation/tab-location.ts';
import { useListedRow } from '../operator-table/use-listed-row.ts';
import { useMayCall } from '../session/may-call.ts';
import type { BankMessage, MessageCall } from './bank-message.ts';
import styles from './bank-messages.module.css';
import { CREDIT_REQUESTS, type CreditRequest, CreditRequestDialog } from './credit-request-dialog.tsx';

/** States of a credit that found no order. */
const OPEN: ReadonlySet<string> = new Set(['unmatched', 'ambiguous', 'untrusted', 'held']);

interface MessageDrawerProps {
  readonly id: string;
  /** The call of the list that shows the message. */
  readonly call: MessageCall;
  readonly withSupplier: boolean;
  readonly onClose: () => void;
}

/** One message with its parsed fields. */
export function MessageDrawer({ id, call, withSupplier, onClose }: MessageDrawerProps) {
  const { t } = useTranslation();
  const name = useNames();
  const mayCall = useMayCall();
  const { openTab } = useTabLocation();
  const [asking, setAsking] = useState<CreditRequest>();
  const message = useListedRow(call, id);
  const money = (minor: number | null) =>
    message?.currency && <Money minor={minor} currency={message.currency} />;
  return (
    <RowDrawer
      width={560}
      onClose={onClose}
      title={message ? `${message.sender} · ${message.receivedTime}` : id}
    >
      {message ? (
        <>
          <MessageState state={message.state} />
          <p className={styles['whole']}>{message.text}</p>
          {message.state === 'unparsed' && mayCall(endpoints.messageTemplate.draftMessageTemplate) && (
            <Button onClick={() => openTab('/messageTemplate', withParam('message', id))}>
              {t('templates.fromMessage')}
            </Button>
          )}
          <Flex gap={8} wrap>
            {requestsAbout(message)
              .filter((request) => mayCall(CREDIT_REQUESTS[request].call))
              .map((request) => (
                <Button key={request} onClick={() => setAsking(request)}>
                  {t(`messages.${request}`)}
                </Button>
              ))}
          </Flex>
          {asking && (
            <CreditRequestDialog
              request={asking}
              message={message}
              call={call}
              onClose={() => setAsking(undefined)}
            />
          )}
          <Facts
            facts={[
              [t('messages.verdict'), <Verdict verdict={message.verdict} confidence={message.confidence} />],
              [t('messages.direction'), message.direction && name('directions', message.direction)],
              [t('approvalFields.amount'), money(message.amount)],
              [t('messages.balance'), money(message.balance)],
              ['UTR', <Copyable text={message.utr} limit={28} />],
              [t('messages.payer'), message.payer],
              [t('orders.orderCode'), <Copyable text={message.orderCode} limit={24} />],
              [t('accounts.bank'), message.bank],
              [t('accounts.account'), message.accountName],
              withSupplier && [t('orders.supplier'), message.supplierName],
              [t('messages.monitorId'), <Copyable text={message.monitorId} />],
              [t('messages.bankTime'), <Moment time={message.bankTime} exact />],
              [t('messages.receivedTime'), <Moment time={message.receivedTime} exact />],
              [t('messages.reportedTime'), <Moment time={message.reportedTime} exact />],
            ]}
          />
        </>
      ) : (
        <NothingYet text={t('messages.notOnPage')} />
      )}
    </RowDrawer>
  );
}

function requestsAbout({ state, direction, verdict }: BankMessage): CreditRequest[] {
  if (direction !== 'credit' || !OPEN.has(state)) return [];
  return verdict === 'contradictsBooked' ? ['correctOffset', 'settleOutside'] : ['settleOutside'];
}
