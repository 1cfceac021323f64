import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Direction } from '@sangam/contract/products.ts';
import { type Grouping, type MeasureName, measuresOf } from '@sangam/contract/statistics.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { isStaff, useViewer } from '../session/viewer.ts';
import { cellLink } from './cell-link.ts';
import { drillQuery } from './drill-link.ts';
import { changeOf, figureText, type Row, rowText, shareOf, type Table } from './figures.ts';
import { FigureLink } from './figure-link.tsx';
import styles from './statistics.module.css';
import type { Input } from './use-question.ts';

interface StatisticsTableProps {
  readonly table: Table;
  readonly rows: readonly Row[];
  readonly total: Row;
  readonly direction: Direction;
  readonly groupBy: Grouping;
  readonly input: Input;
  readonly chosen: MeasureName;
  readonly onChoose: (measure: MeasureName) => void;
}

/** One row per group, and a row of totals that stays in sight. Each number links to its orders. */
export function StatisticsTable({
  table,
  rows,
  total,
  direction,
  groupBy,
  input,
  chosen,
  onChoose,
}: StatisticsTableProps) {
  const { t, i18n } = useTranslation();
  const { access } = useViewer();
  const measures = measuresOf(access, direction);
  const cell = (row: Row, measure: MeasureName, isTotal: boolean) => (
    <td key={measure}>
      <FigureCell
        row={row}
        measure={measure}
        total={isTotal ? undefined : total}
        name={isTotal ? t('statistics.total') : rowText(row, groupBy, t, i18n.language)}
        lastWeekDays={table.lastWeekDays}
        link={cellLink(access, direction, table, input, row, measure)}
      />
    </td>
  );
  return (
    <div
      className={styles['scroll']}
      tabIndex={0}
      role="region"
      aria-label={`${total.currency} ${t('statistics.table')}`}
    >
      <table className={styles['table']}>
        <caption className="unseen">{`${total.currency} ${t('statistics.table')}`}</caption>
        <thead>
          <tr>
            <th scope="col">{t(`statistics.groupings.${groupBy}`)}</th>
            {measures.map((measure) => (
              <th key={measure} scope="col" aria-sort={undefined}>
                <Tooltip title={t(`statistics.measures.${measure}.formula`)}>
                  <button type="button" aria-pressed={measure === chosen} onClick={() => onChoose(measure)}>
                    {t(`statistics.measures.${measure}.label`)}
                  </button>
                </Tooltip>
              </th>
            ))}
          </tr>
          <tr className={styles['total']}>
            <th scope="row">{t('statistics.total')}</th>
            {measures.map((measure) => cell(total, measure, true))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={JSON.stringify([
                row.day,
                row.weekday,
                row.halfHour,
                row.merchantId,
                row.supplierId,
                row.productId,
                row.bank,
                row.mark,
              ])}
            >
              <th scope="row">
                <RowName row={row} groupBy={groupBy} />
              </th>
              {measures.map((measure) => cell(row, measure, false))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A row's name. For staff, a merchant or supplier is a link to its products. */
function RowName({ row, groupBy }: { readonly row: Row; readonly groupBy: Grouping }) {
  const { t, i18n } = useTranslation();
  const viewer = useViewer();
  const { path, search, setSearch } = useTabLocation();
  const name = rowText(row, groupBy, t, i18n.language);
  // Merchants and suppliers have no such filters.
  const query = isStaff(viewer) ? drillQuery(search, groupBy, row) : undefined;
  if (query === undefined) return <>{name}</>;
  return (
    <a
      href={`${path}${query}`}
      title={t('statistics.drill', { name })}
      onClick={(event) => {
        event.preventDefault();
        setSearch(() => query);
      }}
    >
      {name}
    </a>
  );
}

interface FigureCellProps {
  readonly row: Row;
  readonly measure: MeasureName;
  readonly total: Row | undefined;
  readonly name: string;
  readonly lastWeekDays: number;
  readonly link: ReturnType<typeof cellLink>;
}

function FigureCell({ row, measure, total, name, lastWeekDays, link }: FigureCellProps) {
  const { t, i18n } = useTranslation();
  const value = row.measures[measure];
  const text = figureText(measure, value, row.currency, i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  const signed = new Intl.NumberFormat(i18n.language, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  });
  const share = total && shareOf(measure, value, total.measures[measure]);
  const before = changeOf(measure, value, row.before);
  const lastWeek = changeOf(measure, value, row.lastWeek);
  const label = t(`statistics.measures.${measure}.label`);
  const old = (of: Row['before']) =>
    t('statistics.before', { value: figureText(measure, of?.[measure], row.currency, i18n.language) });
  const tone = (change: number) => styles[change < 0 ? 'down' : 'up'];
  return (
    <>
      <FigureLink link={value ? link : undefined} label={`${name}, ${label}: ${text}`}>
        {text}
      </FigureLink>
      <small>
        {share !== undefined && <span title={t('statistics.share')}>{percent.format(share)}</span>}
        {before !== undefined && (
          <span className={tone(before)} title={old(row.before)}>
            {signed.format(before)}
          </span>
        )}
      </small>
      {lastWeek !== undefined && (
        <small>
          <span className={tone(lastWeek)} title={old(row.lastWeek)}>
            {t('statistics.lastWeek', { days: lastWeekDays, value: signed.format(lastWeek) })}
          </span>
        </small>
      )}
    </>
  );
}
