import { useTranslation } from 'react-i18next';
import type { Currency } from '@sangam/contract/money.ts';
import { NothingYet, Section } from '../figures/details.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { MessageState } from '../figures/message-state.tsx';
import { useNames } from '../language/names.ts';
import styles from './orders.module.css';
import type { Story } from './order.ts';

interface OrderMessagesProps {
  readonly messages: Story['messages'];
  readonly currency: Currency;
}

/** The bank's words that money moved. */
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

/** The postings the order caused; the entries of one posting sum to zero. */
export function OrderEntries({ entries }: { readonly entries: Story['entries'] }) {
  const { t } = useTranslation();
  const name = useNames();
  return (
    <Section title={t('orders.entries')} count={entries.length}>
      {entries.length === 0 ? (
        <NothingYet text={t('orders.noEntries')} />
      ) : (
        <div className={styles['scroll']}>
          <table className={styles['plain']}>
            <thead>
              <tr>
                <th scope="col">{t('fund.postingKind')}</th>
                <th scope="col">{t('fund.owner')}</th>
                <th scope="col">{t('fund.bucket')}</th>
                <th scope="col" className={styles['right']}>
                  {t('fund.amount')}
                </th>
                <th scope="col" className={styles['right']}>
                  {t('fund.balanceAfter')}
                </th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.id}>
                  <td>{name('postingKinds', entry.postingKind)}</td>
                  <td>{entry.ownerKind === 'platform' ? name('ownerKinds', 'platform') : entry.ownerName}</td>
                  <td>{name('buckets', entry.bucket)}</td>
                  <td className={styles['right']}>
                    <Money minor={entry.amount} currency={entry.currency} directed />
                  </td>
                  <td className={styles['right']}>
                    <Money minor={entry.balanceAfter} currency={entry.currency} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
