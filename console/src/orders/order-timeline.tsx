import { useTranslation } from 'react-i18next';
import { AuditLink } from '../figures/audit-link.tsx';
import { NothingYet, Raw, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import type { Tone } from '../figures/status.tsx';
import { useNames } from '../language/names.ts';
import styles from './orders.module.css';
import type { StatusTable, Story } from './order.ts';

const TONES: Readonly<Record<string, Tone>> = {
  paid: 'positive',
  supplemented: 'positive',
  callbackSucceeded: 'positive',
  allocated: 'pending',
  reselected: 'pending',
  callbackRequested: 'pending',
  utrSubmitted: 'pending',
  payerNamed: 'pending',
  pictureAdded: 'pending',
  slipAdded: 'pending',
  allocationFailed: 'warning',
  callbackFailed: 'negative',
  reversed: 'negative',
  claimed: 'pending',
  dispatched: 'pending',
  submitted: 'pending',
  accepted: 'pending',
  completed: 'positive',
  proven: 'positive',
  proofAccepted: 'positive',
  claimExpired: 'warning',
  contradicted: 'warning',
  databaseRestored: 'warning',
  handedBack: 'warning',
  unanswered: 'warning',
  rejecting: 'warning',
  unlocked: 'warning',
  failed: 'negative',
  rejected: 'negative',
};

interface OrderTimelineProps {
  readonly orderCode: string;
  readonly events: Story['events'];
  readonly statuses: StatusTable;
}

/** The events of the order, oldest first, each with who did it and why. */
export function OrderTimeline({ orderCode, events: all, statuses }: OrderTimelineProps) {
  const { t } = useTranslation();
  const name = useNames();
  // Notes have a section of their own.
  const events = all.filter(({ kind }) => kind !== 'noted');
  return (
    <Section
      title={t('orders.timeline')}
      count={events.length}
      extra={<AuditLink subject={`order:${orderCode}`} />}
    >
      {events.length === 0 ? (
        <NothingYet text={t('orders.noEvents')} />
      ) : (
        <ol className={styles['timeline']}>
          {events.map((event) => {
            const data = Object.keys(event.data).length > 0 ? JSON.stringify(event.data, null, 2) : undefined;
            return (
              <li key={event.id} className={styles[TONES[event.kind] ?? 'quiet']}>
                <div className={styles['eventHead']}>
                  <strong>{name('events', event.kind)}</strong>
                  {event.fromStatus !== null &&
                    event.toStatus !== null &&
                    event.fromStatus !== event.toStatus && (
                      <span className={styles['eventMove']}>
                        {name(statuses.names, event.fromStatus)} → {name(statuses.names, event.toStatus)}
                      </span>
                    )}
                  <Moment time={event.time} exact />
                </div>
                <div className={styles['eventBy']}>
                  {name('actors', event.actor)}
                  {event.ip && ` · ${event.ip}`}
                  {event.reason && ` · ${event.reason}`}
                </div>
                {data && (
                  <details className={styles['fold']}>
                    <summary>{t('orders.eventData')}</summary>
                    <Raw title={name('events', event.kind)} text={data} />
                  </details>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </Section>
  );
}
