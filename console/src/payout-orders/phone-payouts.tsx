import { App, Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { isHandled } from '../http/call-error.ts';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { useTabParam } from '../navigation/tab-location.ts';
import { ListFailure, StaleNote } from '../operator-table/list-outcomes.tsx';
import type { OrderActions } from '../orders/use-order-actions.tsx';
import { useRealtimeState } from '../realtime/realtime.ts';
import { useChanges } from '../realtime/use-changes.ts';
import { PhoneCard } from './phone-card.tsx';
import { PhoneClaim } from './phone-claim.tsx';
import { PHONE_PARAMS } from './phone-params.ts';
import styles from './phone.module.css';

const { payout: calls } = endpoints;

/** How often the cards ask for their newest state; seldom where the server reports what changes. */
const LIVE_MS = 5_000;
const REPORTED_LIVE_MS = 20_000;
const MOST_CARDS = 100;

const { waiting, preparing, inProgress, toBeConfirmed, submitted } = PAYOUT_STATUS;
const UNDER_WAY = [preparing, inProgress, toBeConfirmed, submitted].join(',');

function usePayouts(orderStatusId: string) {
  const everyMs = useRealtimeState() === 'connected' ? REPORTED_LIVE_MS : LIVE_MS;
  const answer = useCall(calls.getPayoutList, { orderStatusId, pageSize: MOST_CARDS }, { everyMs });
  useChanges('ordersOut', () => void answer.refetch());
  return answer;
}

interface PhonePayoutsProps {
  readonly title: string;
  readonly actions: OrderActions<PayoutOrderRow>;
  readonly onAll: () => void;
}

/** A supplier's payouts where there is room for one thing at a time: what it may claim, and what it has claimed. */
export function PhonePayouts({ title, actions, onAll }: PhonePayoutsProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const send = useSend(calls.getPayoutList, calls.getPayoutStatusSummary, calls.getPayoutDetail);
  const [tab, setTab] = useTabParam(PHONE_PARAMS.tab);
  const [open, setOpen] = useTabParam(PHONE_PARAMS.claim);
  const [claiming, setClaiming] = useState<string>();
  const offered = usePayouts(String(waiting));
  const claimed = usePayouts(UNDER_WAY);
  const available = offered.data?.list.filter(({ actions: may }) => may.includes('claim'));
  const mine = claimed.data?.list.filter(({ claim }) => claim === 'mine');
  const isMine = tab === 'mine';
  const [answer, rows] = isMine ? [claimed, mine] : [offered, available];

  const claim = async ({ id, version, orderCode }: PayoutOrderRow) => {
    setClaiming(id);
    try {
      const done = t('orders.done', { action: t('actions.claim'), orderCode });
      await send(calls.claimOrder, { orderId: id, version }, done);
      setOpen(orderCode);
    } catch (error) {
      if (!isHandled(error)) message.error(error instanceof Error ? error.message : String(error));
      await offered.refetch();
    } finally {
      setClaiming(undefined);
    }
  };
  const buttonOf = (order: PayoutOrderRow) =>
    isMine
      ? { label: t('payouts.hand.pay'), busy: false, run: () => setOpen(order.orderCode) }
      : { label: t('actions.claim'), busy: claiming === order.id, run: () => void claim(order) };

  return (
    <section className={styles['screen']} aria-label={title}>
      <header className={styles['head']}>
        <h1>{title}</h1>
        <Button onClick={onAll}>{t('payouts.hand.all')}</Button>
      </header>
      {answer.isError && answer.data && <StaleNote error={answer.error} />}
      {rows ? (
        <ul className={styles['cards']}>
          {rows.map((order) => (
            <PhoneCard key={order.id} order={order} button={buttonOf(order)} />
          ))}
        </ul>
      ) : answer.isError ? (
        <ListFailure error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton active />
      )}
      {rows?.length === 0 && (
        <p className={styles['none']}>{t(isMine ? 'payouts.hand.noneMine' : 'payouts.hand.noneAvailable')}</p>
      )}
      {(answer.data?.nextCursor ?? null) !== null && (
        <p className={styles['none']}>{t('payouts.hand.most', { count: MOST_CARDS })}</p>
      )}
      <div className={styles['switch']} role="group" aria-label={title}>
        <button type="button" aria-pressed={!isMine} onClick={() => setTab(undefined)}>
          {t('payouts.hand.available')} <b>{available?.length ?? ''}</b>
        </button>
        <button type="button" aria-pressed={isMine} onClick={() => setTab('mine')}>
          {t('payouts.hand.mine')} <b>{mine?.length ?? ''}</b>
        </button>
      </div>
      {open !== undefined && mine && (
        <PhoneClaim
          key={open}
          orderCode={open}
          order={mine.find(({ orderCode }) => orderCode === open)}
          actions={actions}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}
