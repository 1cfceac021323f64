import { Alert, Segmented, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { businessDay } from '@sangam/contract/time.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { useNow } from '../figures/clock.ts';
import { ZONE } from '../figures/moment.tsx';
import { moneyText } from '../figures/money-text.ts';
import { useCall } from '../http/use-call.ts';
import type { InputOf } from '../http/call-types.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { isStaff, useViewer } from '../session/viewer.ts';
import { FirstOrder } from '../parties/first-order.tsx';
import { PhoneOffer } from '../parties/phone-offer.tsx';
import { ListFailure } from '../operator-table/list-outcomes.tsx';
import { dayLink, hourSpan } from './day-link.ts';
import { DayTiles, type DayTilesProps } from './day-tiles.tsx';
import { HomeAccounts } from './home-accounts.tsx';
import { HomeDue } from './home-due.tsx';
import { HomeHealth } from './home-health.tsx';
import { HomeUnusual } from './home-unusual.tsx';
import { HomeBalances } from './home-balances.tsx';
import { HomeTeam } from './home-team.tsx';
import { HomeWaiting } from './home-waiting.tsx';
import { StartHere } from './start-here.tsx';
import styles from './home.module.css';
import { HourChart } from './hour-chart.tsx';
import { type HomeDay, HourTable } from './hour-table.tsx';
import { hourValues, METRICS, successRate, type DayFigures, type Metric } from './figures-of-day.ts';

const DAY_MS = 24 * 60 * 60_000;
const LIVE_MS = 15_000;
const TECHNICAL: readonly Role[] = ['technicalMaintenance', 'technicalSupport'];

type Dates = InputOf<typeof endpoints.order.simpleStatistics>;

function datesOf(now: number): Dates {
  const day = (offset: number) => businessDay(new Date(now + offset * DAY_MS));
  return { todayDate: day(0), tomorrowDate: day(1), yesterdayDate: day(-1) };
}

export function HomeScreen() {
  const { t } = useTranslation();
  const now = useNow();
  const viewer = useViewer();
  // The technical roles see how the platform runs, not what it earns.
  const isTechnical = TECHNICAL.includes(viewer.access);
  // Merchants and suppliers want to see their balances first.
  const isParty = !isStaff(viewer);
  const home = useCall(endpoints.home.getHome, {}, { everyMs: LIVE_MS });
  return (
    <div className={styles['home']}>
      <header className={styles['heading']}>
        <h1>{t(isTechnical ? 'home.health' : 'home.title')}</h1>
        <span title="Asia/Kolkata, UTC+5:30">
          {datesOf(now).todayDate} {ZONE}
        </span>
      </header>
      <PhoneOffer />
      {viewer.merchantId !== undefined && <FirstOrder merchantId={viewer.merchantId} />}
      <StartHere />
      {home.data ? (
        <HomeWaiting waiting={home.data.waiting} />
      ) : home.isError ? (
        <Alert type="error" showIcon title={`${t('home.waiting')}: ${home.error.message}`} />
      ) : (
        <Skeleton active paragraph={{ rows: 2 }} />
      )}
      {isTechnical && <HomeHealth />}
      {isStaff(viewer) && <HomeUnusual />}
      {isParty && <HomeBalances />}
      {home.data?.due && <HomeDue due={home.data.due} />}
      {home.data?.team && <HomeTeam team={home.data.team} />}
      {!isTechnical && <Flow dates={datesOf(now)} />}
      {home.data?.accounts && <HomeAccounts accounts={home.data.accounts} />}
      {!isTechnical && !isParty && <HomeBalances />}
    </div>
  );
}

/** The flow of money: one section per currency. */
function Flow({ dates }: { readonly dates: Dates }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useCall(endpoints.order.simpleStatistics, dates, {
    everyMs: LIVE_MS,
    keepPrevious: true,
  });
  if (!data)
    return error ? (
      <ListFailure error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton active paragraph={{ rows: 8 }} />
    );
  if (data.list.length === 0 && !data.hidden)
    return <p className={styles['nothing']}>{t('home.noStatistics')}</p>;
  return data.list.map((entry) => (
    <CurrencyDay key={entry.currency} {...entry} filing={data.filing} days={dates} />
  ));
}

function CurrencyDay(props: DayTilesProps) {
  const { currency, filing, days, today, yesterday } = props;
  const { t, i18n } = useTranslation();
  const { access } = useViewer();
  const { openTab } = useTabLocation();
  const [metric, setMetric] = useState<Metric>('created');
  const number = new Intl.NumberFormat(i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  const rate = (day: DayFigures) => {
    const value = successRate(day);
    return value === undefined ? '–' : percent.format(value);
  };
  const format = (value: number) => {
    if (metric === 'paidAmount') return moneyText(value, currency);
    return metric === 'successRate' ? percent.format(value / 100) : number.format(value);
  };
  const values = { today: hourValues(today, metric), yesterday: hourValues(yesterday, metric) };
  const linkOf = (day: HomeDay, hour: number) =>
    dayLink(access, filing, currency, hourSpan(days[`${day}Date`], hour), metric);
  const total = (day: DayFigures) => (metric === 'successRate' ? rate(day) : format(day[metric]));

  return (
    <section className={styles['day']} aria-label={currency}>
      <DayTiles {...props} />
      <div className={styles['chartHead']}>
        <h2>
          {currency} · {t('home.chart')}
        </h2>
        <span className={styles['legend']}>
          <i className={styles['keyBar']} aria-hidden /> {t('home.today')}
          <i className={styles['keyLine']} aria-hidden /> {t('home.yesterday')}
        </span>
        <Segmented<Metric>
          className={styles['metrics']!}
          aria-label={t('home.metric')}
          value={metric}
          onChange={setMetric}
          options={METRICS.map((value) => ({ value, label: t(`home.${value}`) }))}
        />
      </div>
      <HourChart
        label={t('home.chartOf', {
          metric: t(`home.${metric}`),
          today: total(today),
          yesterday: total(yesterday),
        })}
        {...values}
        format={format}
        onOpen={(hour) => {
          const link = linkOf('today', hour);
          if (link) openTab(link.path, () => link.query);
        }}
      />
      <HourTable metric={t(`home.${metric}`)} values={values} format={format} linkOf={linkOf} />
    </section>
  );
}
