import { Alert, Segmented, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Facts, NothingYet, Section } from '../figures/details.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { useCall } from '../http/use-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { MinuteBars } from './minute-bars.tsx';
import styles from './performance.module.css';

const SPANS = [15, 60, 240, 1440] as const;
const LIVE_MS = 15_000;
const FLOWS = ['created', 'paid', 'callbacks'] as const;
const QUEUES = [
  'ordersWaiting',
  'ordersOverdue',
  'callbacksDue',
  'payoutsWaiting',
  'payoutsToConfirm',
  'approvals',
] as const;

/** Speed of the server: stages, throughput, queues, slowest queries. */
export function PerformanceScreen({ screen }: PageProps) {
  const { t, i18n } = useTranslation();
  const title = useTitles();
  const [minutes, setMinutes] = useState<number>(60);
  const { data, error } = useCall(
    endpoints.profile.getOrderProfile,
    { minutes },
    { everyMs: LIVE_MS, keepPrevious: true },
  );
  const number = new Intl.NumberFormat(i18n.language);
  // One decimal is enough for milliseconds.
  const short = new Intl.NumberFormat(i18n.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const ms = (value: number | null) => (value === null ? '–' : short.format(value));
  return (
    <section className={styles['page']} aria-label={title(screen)}>
      <header className={styles['head']}>
        <h1>{title(screen)}</h1>
        <Segmented
          aria-label={t('performance.span')}
          value={minutes}
          onChange={setMinutes}
          options={SPANS.map((value) => ({
            value,
            label:
              value > 60
                ? t('performance.hours', { count: value / 60 })
                : t('performance.minutes', { count: value }),
          }))}
        />
      </header>
      {data ? (
        <>
          <Section title={t('performance.queues')}>
            <Facts
              facts={QUEUES.map((queue) => [
                t(`performance.queue.${queue}`),
                <span className="figures">{number.format(data.queues[queue])}</span>,
              ])}
            />
          </Section>
          <Section title={t('performance.stages')}>
            <PlainTable
              rows={data.stages}
              keyOf={({ stage }) => stage}
              columns={[
                { title: t('performance.stage'), cell: ({ stage }) => t(`performance.stageOf.${stage}`) },
                { title: t('performance.calls'), right: true, cell: ({ calls }) => number.format(calls) },
                { title: t('performance.percentile', { n: 50 }), right: true, cell: ({ p50 }) => ms(p50) },
                { title: t('performance.percentile', { n: 90 }), right: true, cell: ({ p90 }) => ms(p90) },
                { title: t('performance.percentile', { n: 99 }), right: true, cell: ({ p99 }) => ms(p99) },
                { title: t('performance.max'), right: true, cell: ({ max }) => ms(max) },
              ]}
            />
          </Section>
          <Section title={t('performance.throughput')}>
            {FLOWS.map((flow) => (
              <MinuteBars
                key={flow}
                label={t(`performance.flow.${flow}`)}
                from={data.from}
                minutes={minutes}
                values={data.throughput.map((row) => ({ time: row.time, count: row[flow] }))}
              />
            ))}
          </Section>
          <Section title={t('performance.slowest')}>
            {data.slowestQueries === null ? (
              <NothingYet text={t('performance.noStatements')} />
            ) : (
              <PlainTable
                rows={data.slowestQueries}
                keyOf={({ query }) => query}
                columns={[
                  {
                    title: t('performance.query'),
                    cell: ({ query }) => <code className={styles['query']}>{query}</code>,
                  },
                  { title: t('performance.calls'), right: true, cell: ({ calls }) => number.format(calls) },
                  { title: t('performance.mean'), right: true, cell: ({ meanMs }) => ms(meanMs) },
                  { title: t('performance.total'), right: true, cell: ({ totalMs }) => ms(totalMs) },
                ]}
              />
            )}
          </Section>
        </>
      ) : error ? (
        <Alert type="error" showIcon title={error.message} />
      ) : (
        <Skeleton active />
      )}
    </section>
  );
}
