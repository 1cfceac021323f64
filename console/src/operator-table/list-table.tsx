import { Table } from 'antd';
import type { ColumnsType } from 'antd/es/table';
import {
  isValidElement,
  memo,
  startTransition,
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useIsNarrow, useIsPhone } from '../appearance/use-media.ts';
import { isSelecting, rowClasses, type ListTableProps } from './list-table-props.ts';
import styles from './list-table.module.css';
import { MOST_PICKED } from './bulk-bar.tsx';
import { WidthHandle } from './width-handle.tsx';
import { RowCards } from './row-cards.tsx';
import { RowMenu, RowMenuButton, type RowMenuHandle } from './row-menu.tsx';

const PAGER_PX = 47;

/** More than fit on most screens: these are drawn first, the others a frame later, so that reading can begin. */
const FIRST_ROWS = 24;

/** Whether what was drawn first has been seen. */
function useFirstPaintOver(): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The frame asked for here is painted before the task after it.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setOver(true)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return over;
}

/** Keys reach the table itself: from it they scroll to the columns a narrow window does not show, whether or not a row has anything to press. */
const REACHED_BY_KEYS = { table: (props: ComponentProps<'table'>) => <table {...props} tabIndex={0} /> };

/** Drawn anew only for another prop: an answer that brings nothing new redraws no row. */
export const ListTable = memo(Rows) as typeof Rows;

function Rows<Row extends object>(props: ListTableProps<Row>) {
  return useIsPhone() ? <RowCards {...props} /> : <RowTable {...props} />;
}

function RowTable<Row extends object>(props: ListTableProps<Row>) {
  const { t } = useTranslation();
  const { scroller } = useTabLocation();
  const narrow = useIsNarrow();
  const whole = useFirstPaintOver();
  const menu = useRef<RowMenuHandle>(null);
  const { keyOf, onOpen, actionsOf, picked } = props;

  const columns: ColumnsType<Row> = props.columns.map((column) => ({
    key: column.key,
    title: narrow ? (
      column.title
    ) : (
      <>
        {inWidth(props.widths[column.key], column.title)}
        <WidthHandle onWidth={(pixels) => props.onWidth(column.key, pixels)} />
      </>
    ),
    render: (_: unknown, row: Row) => inWidth(props.widths[column.key], column.render(row)),
    ...(column.width === undefined ? {} : { width: column.width }),
    ...(column.align ? { align: column.align } : {}),
    ...((column.names || props.pinned.includes(column.key)) && !narrow ? { fixed: 'start' as const } : {}),
  }));
  // Of lists that a role may only read no row has any.
  if (actionsOf && props.rows.some((row) => actionsOf(row).length > 0)) {
    columns.push({
      key: 'actions',
      title: <span className="unseen">{t('list.actions')}</span>,
      width: 44,
      fixed: 'end',
      render: (_: unknown, row: Row) => (
        <RowMenuButton of={keyOf(row)} actions={actionsOf(row)} menu={menu} />
      ),
    });
  }

  return (
    <div
      className={[styles['table'], props.dimmed && styles['dimmed']].filter(Boolean).join(' ')}
      aria-busy={props.dimmed}
      data-menu-box
    >
      <Table<Row>
        aria-label={props.caption}
        size={props.density}
        columns={columns}
        dataSource={whole ? [...props.rows] : props.rows.slice(0, FIRST_ROWS)}
        rowKey={keyOf}
        components={REACHED_BY_KEYS}
        pagination={false}
        {...(picked
          ? {
              rowSelection: {
                columnWidth: 36,
                fixed: !narrow,
                preserveSelectedRowKeys: true,
                selectedRowKeys: [...picked.keys],
                onChange: (_keys: unknown, rows: Row[]) => picked.pick(rows),
                columnTitle: (checkbox: ReactNode) => <Visible>{checkbox}</Visible>,
                getTitleCheckboxProps: () => ({ 'aria-label': t('bulk.pickAll') }),
                getCheckboxProps: (row: Row) => ({
                  'aria-label': t('bulk.pick', { key: keyOf(row) }),
                  disabled: picked.keys.length >= MOST_PICKED && !picked.keys.includes(keyOf(row)),
                }),
                renderCell: (_checked: boolean, _row: Row, _index: number, box: ReactNode) => plainBox(box),
                onCell: () => ({ onClick: (event: MouseEvent) => event.stopPropagation() }),
              },
            }
          : {})}
        // The sideways scroll bar stands on top of the pager.
        sticky={{ getContainer: () => scroller() ?? document.body, offsetScroll: PAGER_PX }}
        scroll={{ x: 'max-content' }}
        rowClassName={(row) => rowClasses(props, keyOf(row), styles)}
        locale={{ emptyText: props.empty }}
        onRow={(row) => ({
          'data-row': keyOf(row),
          ...(onOpen ? { onClick: () => isSelecting() || onOpen(row) } : {}),
        })}
      />
      <RowMenu ref={menu} />
    </div>
  );
}

/** Content cut to the width its column was drawn to. */
function inWidth(pixels: number | undefined, content: ReactNode): ReactNode {
  if (pixels === undefined) return content;
  return (
    <div className={styles['cut']} style={{ width: pixels }}>
      {content}
    </div>
  );
}

/** The browser's own box to tick in place of antd's, with what that would do: a page has up to 200 of them. */
function plainBox(box: ReactNode): ReactNode {
  // What antd reads of the change, the shift key, is in the browser's own event.
  if (!isValidElement<ComponentProps<'input'>>(box)) return box;
  const { checked, disabled, onChange, 'aria-label': label } = box.props;
  return (
    <input
      type="checkbox"
      className={styles['pick']}
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onChange={onChange}
    />
  );
}

/** The table draws its head once more, unseen, to measure it: there a box to tick would be one that keys reach and nobody sees. */
function Visible({ children }: { readonly children: ReactNode }) {
  const [measured, setMeasured] = useState(false);
  if (measured) return null;
  const look = (span: HTMLSpanElement | null) => {
    if (span?.closest('[aria-hidden=true]')) setMeasured(true);
  };
  return <span ref={look}>{children}</span>;
}

/** Rows of grey in the shape of the table, on the first load only. */
export function TableSkeleton({ columns: most }: { readonly columns: number }) {
  const { t } = useTranslation();
  const columns = useIsPhone() ? 2 : most;
  return (
    <div className={styles['skeleton']} role="status" aria-label={t('list.loading')}>
      {Array.from({ length: 12 }, (_, line) => (
        <div key={line} className={styles['skeletonRow']}>
          {Array.from({ length: columns }, (_, cell) => (
            <span key={cell} style={{ width: `${40 + ((line * 7 + cell * 13) % 45)}%` }} />
          ))}
        </div>
      ))}
    </div>
  );
}
