import { LinkOutlined, ReloadOutlined } from '@ant-design/icons';
import { App, Button, Segmented, Tooltip } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { NothingYet, Section } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { Verdict } from '../figures/verdict.tsx';
import { isHandled } from '../http/call-error.ts';
import type { OutputOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import { FilterBar } from '../operator-table/filter-bar.tsx';
import type { FilterField } from '../operator-table/list-definition.ts';
import { filterInput, type FilterName } from '../operator-table/list-state.ts';
import { hasModifier, isTyping } from '../operator-table/use-list-keys.ts';
import { useListState } from '../operator-table/use-list-state.ts';
import { useMayCall } from '../session/may-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { JoinDialog, useJoin } from './join-dialog.tsx';
import { type LostFilters, type LostMoney, type LostOrder, needsThought } from './lost.ts';
import styles from './lost-orders.module.css';
import { Queue } from './queue.tsx';
import { MoneyFacts, MoneyRow, OrderFacts } from './rows.tsx';

const EVERY_MS = 20_000;
const SHOWN = 100;

/** The chosen credit and order, and the join of the two: at once, or after a dialog. */
function useJoining() {
  const { message } = App.useApp();
  const [money, setMoney] = useState<LostMoney>();
  const [order, setOrder] = useState<LostOrder>();
  const [asking, setAsking] = useState<{ readonly money: LostMoney; readonly order: LostOrder }>();
  const [busy, setBusy] = useState<string>();
  const join = useJoin();

  /** Clears the choice only where it is still the pair that was joined. */
  const joined = (credit: LostMoney, lost: LostOrder) => {
    setMoney((now) => (now?.id === credit.id ? undefined : now));
    setOrder((now) => (now?.orderCode === lost.orderCode ? undefined : now));
  };
  const joinNow = async (credit: LostMoney, lost: LostOrder) => {
    if (needsThought(credit, lost) || credit.resourceId !== lost.resourceId) {
      setAsking({ money: credit, order: lost });
      return;
    }
    setBusy(credit.id);
    try {
      await join(credit, lost);
      joined(credit, lost);
    } catch (error) {
      if (!isHandled(error)) message.error(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(undefined);
    }
  };
  return { money, order, asking, busy, setMoney, setOrder, setAsking, joined, joinNow };
}

/** Credits without an order beside orders without money, with the likely pairs above. */
export function LostOrdersScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const mayJoin = useMayCall()(endpoints.lost.joinLost);
  const searchRef = useRef<HTMLDivElement>(null);
  const fields: readonly FilterField<FilterName<LostFilters>>[] = [
    { name: 'resourceId', param: 'ac', kind: 'digits', label: t('messages.resourceId'), pinned: true },
    { name: 'amount', param: 'a', kind: 'amount', label: t('orders.amount'), pinned: true },
    { name: 'within', param: 'w', kind: 'amount', label: t('lost.within'), pinned: true },
    { name: 'period', param: 't', kind: 'period', label: t('list.span') },
  ];
  const control = useListState(fields, undefined, () => undefined);
  const [of, setOf] = useState<'claimed' | 'timedOut'>('claimed');
  const { money, order, asking, busy, setMoney, setOrder, setAsking, joined, joinNow } = useJoining();

  // The filter names are dynamic; this is the one cast to the call's input type.
  const filters = filterInput(control.state.filters, fields, new Date()) as LostFilters;
  const asked = { everyMs: EVERY_MS, keepPrevious: true };
  const credits = useCall(endpoints.lost.getLostMoney, { ...filters, pageSize: SHOWN }, asked);
  const orders = useCall(endpoints.lost.getLostOrders, { ...filters, of, pageSize: SHOWN }, asked);
  const pairs = useCall(endpoints.lost.getLostPairs, filters, asked);
  const reload = () => void Promise.all([credits.refetch(), orders.refetch(), pairs.refetch()]);
  const failure = credits.error ?? orders.error ?? pairs.error;

  return (
    <section
      className={styles['screen']}
      aria-label={title(screen)}
      onKeyDown={(event) => {
        if (event.key !== 'j' || hasModifier(event) || isTyping(event.target)) return;
        if (!mayJoin || !money || !order) return;
        event.preventDefault();
        // A join moves money. A held key, or a press while a dialog is open or a join is under way, is not a new decision.
        if (event.repeat || asking || busy !== undefined) return;
        void joinNow(money, order);
      }}
    >
      <header className={styles['title']}>
        <h1>{title(screen)}</h1>
        <Tooltip title={t('list.reload')}>
          <Button type="text" icon={<ReloadOutlined />} aria-label={t('list.reload')} onClick={reload} />
        </Tooltip>
      </header>
      <FilterBar fields={fields} control={control} searchRef={searchRef} />
      {failure && <p role="status">{t('list.stale', { reason: failure.message })}</p>}
      <Section title={t('lost.pairs')} {...(pairs.data && { count: pairs.data.list.length })}>
        {pairs.data?.list.length === 0 && <NothingYet text={t('lost.noPairs')} />}
        <ul className={styles['pairs']}>
          {pairs.data?.list.map((pair) => (
            <PairItem
              key={`${pair.money.id}-${pair.order.orderCode}`}
              pair={pair}
              busy={busy === pair.money.id}
              onJoin={mayJoin ? () => void joinNow(pair.money, pair.order) : undefined}
            />
          ))}
        </ul>
      </Section>
      <div className={styles['queues']} data-queues>
        <Queue<LostMoney>
          title={t('lost.money')}
          total={credits.data?.total}
          rows={credits.data?.list ?? []}
          keyOf={({ id }) => id}
          chosen={money?.id}
          onChoose={setMoney}
          emptyText={t('lost.noMoney')}
        >
          {(row) => <MoneyRow money={row} />}
        </Queue>
        <Queue<LostOrder>
          title={t('lost.orders')}
          total={orders.data?.total}
          rows={orders.data?.list ?? []}
          keyOf={({ orderCode }) => orderCode}
          chosen={order?.orderCode}
          onChoose={setOrder}
          emptyText={t('lost.noOrders')}
          extra={
            <Segmented
              size="small"
              value={of}
              onChange={setOf}
              options={[
                { value: 'claimed' as const, label: t('lost.claimed') },
                { value: 'timedOut' as const, label: t('lost.timedOut') },
              ]}
            />
          }
        >
          {(row) => <OrderFacts order={row} />}
        </Queue>
      </div>
      {mayJoin && money && order && (
        <div className={styles['bar']} role="status">
          <span>
            <Money minor={money.amount} currency={money.currency} strong /> → {order.orderCode}
          </span>
          <Button
            type="primary"
            loading={busy === money.id}
            aria-keyshortcuts="j"
            onClick={() => void joinNow(money, order)}
          >
            {t('lost.joinChosen')}
          </Button>
        </div>
      )}
      {asking && (
        <JoinDialog
          {...asking}
          onJoined={() => joined(asking.money, asking.order)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </section>
  );
}

interface PairItemProps {
  readonly pair: OutputOf<typeof endpoints.lost.getLostPairs>['list'][number];
  readonly busy: boolean;
  /** Absent for viewers who may not join. */
  readonly onJoin: (() => void) | undefined;
}

/** A likely pair of credit and order. */
function PairItem({ pair, busy, onJoin }: PairItemProps) {
  const { t } = useTranslation();
  return (
    <li>
      <div>
        <MoneyFacts money={pair.money} />
      </div>
      <div>
        <OrderFacts order={pair.order} />
      </div>
      <div className={styles['verdict']}>
        <Verdict verdict={pair.verdict} confidence={pair.confidence} />
        {onJoin && (
          <Button
            size="small"
            type={pair.confidence === 'certain' ? 'primary' : 'default'}
            icon={<LinkOutlined aria-hidden />}
            loading={busy}
            aria-label={t('lost.joinWith', { orderCode: pair.order.orderCode })}
            onClick={onJoin}
          >
            {t('lost.join')}
          </Button>
        )}
      </div>
    </li>
  );
}
