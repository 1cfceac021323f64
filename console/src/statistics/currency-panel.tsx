import { Button } from 'antd';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { daysOf, type MeasureName, measuresOf } from '@sangam/contract/statistics.ts';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import { useCall } from '../http/use-call.ts';
import { useViewer } from '../session/viewer.ts';
import { Chart } from './chart.tsx';
import { dayLines, funnel, heatMap, histogram, stackedBars, timeLine, type Words } from './chart-options.ts';
import { DurationTable, type Bucket } from './duration-table.tsx';
import {
  durationText,
  figureText,
  type Row,
  rowText,
  shownMeasure,
  type Table,
  type Total,
  weekdayText,
} from './figures.ts';
import { SaveCsv } from './save-csv.tsx';
import styles from './statistics.module.css';
import { StatisticsTable } from './statistics-table.tsx';
import type { AskedQuestion } from './use-question.ts';

interface CurrencyPanelProps {
  readonly title: string;
  readonly asked: AskedQuestion;
  readonly table: Table;
  readonly total: Total;
  readonly buckets: readonly Bucket[];
  readonly chosen: MeasureName | undefined;
  readonly onChoose: (measure: MeasureName) => void;
  readonly onShowAll: () => void;
}

function wordsOf(t: TFunction, language: string, asked: AskedQuestion): Words {
  return {
    measure: (name) => t(`statistics.measures.${name}.label`),
    value: (name, value, currency) => figureText(name, value, currency, language, true),
    row: (row) => rowText(row, asked.groupBy, t, language),
    weekday: (weekday) => weekdayText(weekday, language),
    today: t('statistics.thisDay'),
    yesterday: t('statistics.dayBefore'),
    lastWeek: t('statistics.weekBefore'),
    others: t('statistics.others'),
  };
}

/** The same question for the day `back` days earlier. Empty, and nothing is requested, where the period is not a single day. */
function useEarlierDay({ input, groupBy }: AskedQuestion, table: Table, back: number): readonly Row[] {
  const from = parseTime(table.startTime)!;
  const isDay = groupBy === 'halfHour' && daysOf(from, parseTime(table.endTime)!) === 1;
  const day = formatTime(new Date(from.getTime() - back * 86_400_000)).slice(0, 10);
  const { data } = useCall(
    endpoints.statistics.getTable,
    { ...input, startTime: day, endTime: day },
    { enabled: isDay, keepPrevious: true, staleMs: 60_000 },
  );
  return isDay ? (data?.list ?? []) : [];
}

/** How many half hours of the day had begun when the server counted. */
function halfHoursCome({ startTime, asOf }: Table): number {
  if (startTime.slice(0, 10) !== asOf.slice(0, 10)) return 48;
  return Number(asOf.slice(11, 13)) * 2 + (asOf.slice(14, 16) < '30' ? 1 : 2);
}

/** Charts and table of one currency. Currencies are never added together. */
export function CurrencyPanel(props: CurrencyPanelProps) {
  const { title, asked, table, total, buckets, chosen, onChoose, onShowAll } = props;
  const { t, i18n } = useTranslation();
  const { access } = useViewer();
  const { direction, groupBy, input } = asked;
  const { currency } = total;
  const rows = table.list.filter((row) => row.currency === currency);
  const words = wordsOf(t, i18n.language, asked);
  const yesterday = useEarlierDay(asked, table, 1);
  const lastWeek = useEarlierDay(asked, table, 7);
  const measures = measuresOf(access, direction);
  const measure = shownMeasure(chosen, groupBy, measures);
  const isDay = daysOf(parseTime(table.startTime)!, parseTime(table.endTime)!) === 1;
  const option =
    groupBy === 'weekdayHour'
      ? heatMap(words, measure, currency, rows)
      : groupBy === 'halfHour' && isDay
        ? dayLines(words, measure, currency, [rows, yesterday, lastWeek], halfHoursCome(table))
        : groupBy === 'day' || groupBy === 'halfHour'
          ? timeLine(words, measure, currency, rows)
          : stackedBars(words, direction, rows);
  const isBars = !['weekdayHour', 'halfHour', 'day'].includes(groupBy);
  const mainTitle = isBars ? t('statistics.outcomes') : words.measure(measure);
  return (
    <section className={styles['currency']} aria-label={currency}>
      <div className={styles['currencyHead']}>
        <h2>{currency}</h2>
        <SaveCsv title={title} asked={asked} total={total} rows={rows} />
      </div>
      <div className={styles['charts']}>
        <Chart title={`${currency} ${mainTitle}`} option={option} />
        <Chart
          title={`${currency} ${t('statistics.funnel')}`}
          option={funnel(words, direction, total, t('statistics.told'))}
        />
        <Chart
          title={`${currency} ${t('statistics.timeToPay')}`}
          option={histogram(buckets, (seconds) => durationText(seconds, i18n.language))}
        />
      </div>
      <StatisticsTable
        table={table}
        rows={rows}
        total={total}
        direction={direction}
        groupBy={groupBy}
        input={input}
        chosen={measure}
        onChoose={onChoose}
      />
      {rows.length < total.groups && (
        <Button onClick={onShowAll}>
          {t('statistics.showAll', { shown: rows.length, all: total.groups })}
        </Button>
      )}
      <DurationTable asked={asked} table={table} total={total} buckets={buckets} />
    </section>
  );
}
