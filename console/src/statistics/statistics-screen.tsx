import { Skeleton } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { Grouping, MeasureName } from '@sangam/contract/statistics.ts';
import { useNow } from '../figures/clock.ts';
import { Moment } from '../figures/moment.tsx';
import { useCall } from '../http/use-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { FilterBar } from '../operator-table/filter-bar.tsx';
import { ListFailure } from '../operator-table/list-outcomes.tsx';
import { CurrencyPanel } from './currency-panel.tsx';
import styles from './statistics.module.css';
import { useQuestion } from './use-question.ts';

const LIVE_MS = 15_000;
const MINUTE_MS = 60_000;
/** How many rows of a currency are shown at first. */
const MOST_ROWS = 100;
const BY_TIME: ReadonlySet<Grouping> = new Set<Grouping>(['day', 'halfHour', 'weekdayHour']);

/** Statistics of collection orders or payouts, for every role. The server decides by its table of measures what a role is shown. */
export function StatisticsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const now = Math.floor(useNow() / MINUTE_MS) * MINUTE_MS;
  const asked = useQuestion(screen, new Date(now));
  const searchRef = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState<MeasureName>();
  const options = { everyMs: LIVE_MS, keepPrevious: true };
  const [isAll, setAll] = useState(false);
  const most = isAll || BY_TIME.has(asked.groupBy) ? {} : { rows: MOST_ROWS };
  const table = useCall(endpoints.statistics.getTable, { ...asked.input, ...most }, options);
  const { groupBy: _, ...question } = asked.input;
  const durations = useCall(endpoints.statistics.getDurations, question, options);
  const { data } = table;
  return (
    <section className={styles['page']} aria-label={title(screen)}>
      <header className={styles['head']}>
        <h1>{title(screen)}</h1>
        {data && (
          <p className={styles['note']}>
            {t(`statistics.filed.${data.filing}`)} · {t('statistics.asOf')} <Moment time={data.asOf} exact />
          </p>
        )}
      </header>
      <FilterBar fields={asked.fields} control={asked.control} searchRef={searchRef} />
      {table.isError && !data ? (
        <ListFailure error={table.error} onRetry={() => void table.refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 12 }} />
      ) : data.totals.length === 0 ? (
        <p className={styles['note']}>{t('statistics.empty')}</p>
      ) : (
        data.totals.map((total) => (
          <CurrencyPanel
            key={total.currency}
            title={title(screen)}
            asked={asked}
            table={data}
            total={total}
            buckets={durations.data?.list.find(({ currency }) => currency === total.currency)?.buckets ?? []}
            chosen={chosen}
            onChoose={choose}
            onShowAll={() => setAll(true)}
          />
        ))
      )}
      <p className={styles['note']}>{t('statistics.accuracy')}</p>
    </section>
  );
}
