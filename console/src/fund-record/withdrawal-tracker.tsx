import { Alert, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Copyable } from '../figures/copyable.tsx';
import { NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { Status } from '../figures/status.tsx';
import { TextButton } from '../figures/text-button.tsx';
import type { RowOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { STORY_MS } from '../orders/order-drawer.tsx';
import { OrderLink } from '../orders/order-links.tsx';
import { OrderTimeline } from '../orders/order-timeline.tsx';
import { PAYOUT_STATUSES } from '../orders/payout-status.ts';
import { placeOf } from './beneficiary.ts';
import styles from './fund-record.module.css';

type Withdrawal = RowOf<typeof endpoints.withdrawal.getWithdrawals>;

const NEWEST = 50;

/** The state of each withdrawal, newest first. */
export function WithdrawalTracker() {
  const { t } = useTranslation();
  const { data, error } = useCall(
    endpoints.withdrawal.getWithdrawals,
    { pageSize: NEWEST },
    { everyMs: STORY_MS },
  );
  return (
    <Section title={t('withdrawal.tracker')} {...(data ? { count: data.total } : {})}>
      {error ? (
        <Alert type="error" showIcon title={error.message} />
      ) : !data ? (
        <Skeleton active />
      ) : data.list.length === 0 ? (
        <NothingYet text={t('withdrawal.none')} />
      ) : (
        <ul className={styles['rows']}>
          {data.list.map((row) => (
            <WithdrawalRow key={row.orderCode} row={row} />
          ))}
        </ul>
      )}
      {data && data.total > NEWEST && <p>{t('withdrawal.newest', { count: NEWEST })}</p>}
    </Section>
  );
}

function WithdrawalRow({ row }: { readonly row: Withdrawal }) {
  const { t } = useTranslation();
  const name = useNames();
  const [isOpen, setIsOpen] = useState(false);
  const { currency, orderStatusId: status } = row;
  const money = (minor: number | null, strong = false) =>
    currency && <Money minor={minor} currency={currency} strong={strong} />;
  return (
    <li>
      <span>
        {money(row.amount, true)} → {row.userName}
        <small>{placeOf(row)}</small>
        <small>
          {t('orders.fee')} {money(row.fee)} · <Moment time={row.createTime} exact /> · {row.askedBy}
        </small>
        <small>
          <OrderLink code={row.orderCode} area="payoutOrders" />
        </small>
      </span>
      <span className={styles['state']}>
        {status === null ? (
          <Status tone="quiet" label={t('withdrawal.archived')} />
        ) : (
          <Status
            tone={PAYOUT_STATUSES.tones[status] ?? 'quiet'}
            label={name(PAYOUT_STATUSES.names, status)}
            busy={PAYOUT_STATUSES.busy.includes(status)}
          />
        )}
        {row.utr !== null && (
          <span>
            {'UTR '}
            <Copyable text={row.utr} limit={24} />
          </span>
        )}
        {status !== null && (
          <TextButton
            text={t(isOpen ? 'withdrawal.hideSteps' : 'withdrawal.steps')}
            label={`${t(isOpen ? 'withdrawal.hideSteps' : 'withdrawal.steps')}: ${row.orderCode}`}
            onClick={() => setIsOpen(!isOpen)}
          />
        )}
      </span>
      {isOpen && <Steps orderCode={row.orderCode} />}
    </li>
  );
}

/** What has happened to the payout of the withdrawal so far. */
function Steps({ orderCode }: { readonly orderCode: string }) {
  const { data, error } = useCall(endpoints.payout.getPayoutDetail, { orderCode }, { everyMs: STORY_MS });
  return (
    <div className={styles['steps']}>
      {error ? (
        <Alert type="error" showIcon title={error.message} />
      ) : data ? (
        <OrderTimeline orderCode={orderCode} events={data.events} statuses={PAYOUT_STATUSES} />
      ) : (
        <Skeleton active />
      )}
    </div>
  );
}
