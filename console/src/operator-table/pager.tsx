import { LeftOutlined, RightOutlined, VerticalRightOutlined } from '@ant-design/icons';
import { Button, Select } from 'antd';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListAnswer, TotalsProps } from './list-definition.ts';
import { PAGE_SIZES } from './list-state.ts';
import styles from './operator-table.module.css';
import type { ListControl } from './use-list-state.ts';

interface PagerProps {
  readonly control: ListControl;
  readonly answer: ListAnswer<unknown>;
  /** The cursor of the rows shown, which may be older than the newest answer. */
  readonly nextCursor: string | null;
  readonly rowCount: number;
  readonly busy: boolean;
  /** The totals of all rows that the filters find. */
  readonly sums: ReactNode;
  /** The number of rows, where the totals have it. */
  readonly count: number | undefined;
}

interface ListFootProps<Input> extends Omit<PagerProps, 'count' | 'sums'> {
  readonly Totals: ComponentType<TotalsProps<Input>> | undefined;
  readonly figures: Omit<TotalsProps<Input>, 'children'>;
}

/** The pager, with the totals where the list has them. */
export function ListFoot<Input>({ Totals, figures, ...pager }: ListFootProps<Input>) {
  if (!Totals) return <Pager {...pager} count={undefined} sums={null} />;
  return <Totals {...figures}>{(count, sums) => <Pager {...pager} count={count} sums={sums} />}</Totals>;
}

function Pager({ control, answer, nextCursor, rowCount, busy, count, sums }: PagerProps) {
  const { t, i18n } = useTranslation();
  const { page, pageSize } = control.state;
  const from = (page - 1) * pageSize;
  const number = new Intl.NumberFormat(i18n.language);
  const total = totalOf(answer, count, number);
  return (
    <nav className={styles['pager']} aria-label={t('list.paging')}>
      <span className="figures" aria-live="polite">
        {rowCount === 0
          ? t('list.countNone')
          : t('list.count', { from: number.format(from + 1), to: number.format(from + rowCount), total })}
      </span>
      {sums && <span className={styles['pagerSums']}>{sums}</span>}
      <span className={styles['pagerSpace']} />
      <Select<number>
        className={styles['pagerSize'] ?? ''}
        aria-label={t('list.pageSize')}
        value={pageSize}
        onChange={control.setPageSize}
        options={PAGE_SIZES.map((size) => ({ value: size, label: t('list.perPage', { size }) }))}
        popupMatchSelectWidth={false}
      />
      <Button
        className={styles['pagerFirst'] ?? ''}
        icon={<VerticalRightOutlined />}
        aria-label={t('list.firstPage')}
        disabled={page === 1}
        onClick={control.first}
      />
      <Button
        icon={<LeftOutlined />}
        aria-label={t('list.previousPage')}
        disabled={page === 1}
        onClick={control.previous}
      />
      <span className="figures">{number.format(page)}</span>
      <Button
        icon={<RightOutlined />}
        aria-label={t('list.nextPage')}
        disabled={nextCursor === null || busy}
        onClick={() => nextCursor !== null && control.next(nextCursor)}
      />
    </nav>
  );
}

/**
 * The number of rows, exact where the list or its totals know it. Totals of the previous filter may still be present: a count below
 * what the list itself counted is ignored.
 */
export function totalOf(
  { total, totalCapped }: Pick<ListAnswer<unknown>, 'total' | 'totalCapped'>,
  count: number | undefined,
  number: Intl.NumberFormat,
): string {
  if (!totalCapped) return number.format(total);
  return count !== undefined && count >= total ? number.format(count) : `${number.format(total - 1)}+`;
}
