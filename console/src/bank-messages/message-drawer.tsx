import { useQueryClient } from '@tanstack/react-query';
import { Drawer } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Copyable } from '../figures/copyable.tsx';
import { Facts, NothingYet } from '../figures/details.tsx';
import { MessageState } from '../figures/message-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { callKey } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { useIsNarrow } from '../shell/use-media.ts';
import styles from './bank-messages.module.css';
import type { BankMessage } from './bank-message.ts';

interface MessageDrawerProps {
  readonly id: string;
  readonly withSupplier: boolean;
  readonly onClose: () => void;
}

/** A message whole, with what was read out of it. */
export function MessageDrawer({ id, withSupplier, onClose }: MessageDrawerProps) {
  const { t } = useTranslation();
  const narrow = useIsNarrow();
  const name = useNames();
  const message = useListedMessage(id);
  const money = (minor: number | null) =>
    message?.currency && <Money minor={minor} currency={message.currency} />;
  return (
    <Drawer
      open
      size={narrow ? '100%' : 560}
      mask={false}
      keyboard={false}
      onClose={onClose}
      title={message ? `${message.sender} · ${message.receivedTime}` : id}
    >
      {message ? (
        <>
          <MessageState state={message.state} />
          <p className={styles['whole']}>{message.text}</p>
          <Facts
            facts={[
              message.reason !== null && [t('messages.reason'), message.reason],
              [t('messages.direction'), message.direction && name('directions', message.direction)],
              [t('orders.amount'), money(message.amount)],
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
    </Drawer>
  );
}

/** A message as a list has it: it has no call of its own. Kept while the drawer is open, whatever page follows. */
function useListedMessage(id: string): BankMessage | undefined {
  const queries = useQueryClient();
  const [kept, setKept] = useState<BankMessage>();
  const listed = queries
    .getQueriesData<{ list: BankMessage[] }>({ queryKey: callKey(endpoints.party.getBankStatementList) })
    .flatMap(([, answer]) => answer?.list ?? [])
    .find((message) => message.id === id);
  if (listed && listed !== kept) setKept(listed);
  return listed ?? (kept?.id === id ? kept : undefined);
}
