import { useTranslation } from 'react-i18next';
import type { Currency } from '@sangam/contract/money.ts';
import { NothingYet, Section } from '../figures/details.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { MessageState } from '../figures/message-state.tsx';
import { Verdict } from '../figures/verdict.tsx';
import { useNames } from '../language/names.ts';
import styles from './orders.module.css';
import type { Story } from './order.ts';

interface OrderMessagesProps {
  readonly messages: Story['messages'];
  readonly currency: Currency;
}

/** The messages that report the order's money. */
export function OrderMessages({ messages, currency }: OrderMessagesProps) {
  const { t } = useTranslation();
  return (
    <Section title={t('orders.messages')} count={messages.length}>
      {messages.length === 0 && <NothingYet text={t('orders.noMessages')} />}
      {messages.map((message) => (
        <article key={message.id} className={styles['message']}>
          <header>
            <strong>{message.sender}</strong>
            <MessageState state={message.state} />
            <Verdict verdict={message.verdict} confidence={message.confidence} />
            <Money minor={message.amount} currency={currency} />
            <Copyable text={message.utr} />
            <Moment time={message.receivedTime} exact />
          </header>
          <p>{message.text}</p>
        </article>
      ))}
    </Section>
  );
}

/** The postings of the order. The entries of one posting sum to zero. */
export function OrderEntries({ entries }: { readonly entries: Story['entries'] }) {
  const { t } = useTranslation();
  const name = useNames();
  return (
    <Section title={t('orders.entries')} count={entries.length}>
      {entries.length === 0 ? (
        <NothingYet text={t('orders.noEntries')} />
      ) : (
        <PlainTable
          rows={entries}
          keyOf={(entry) => entry.id}
          columns={[
            { title: t('fund.postingKind'), cell: (entry) => name('postingKinds', entry.postingKind) },
            {
              title: t('fund.owner'),
              cell: (entry) =>
                entry.ownerKind === 'platform' ? name('ownerKinds', 'platform') : entry.ownerName,
            },
            { title: t('fund.bucket'), cell: (entry) => name('buckets', entry.bucket) },
            {
              title: t('fund.amount'),
              right: true,
              cell: (entry) => <Money minor={entry.amount} currency={entry.currency} directed />,
            },
            {
              title: t('fund.balanceAfter'),
              right: true,
              cell: (entry) => <Money minor={entry.balanceAfter} currency={entry.currency} />,
            },
          ]}
        />
      )}
    </Section>
  );
}
