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

/** The rows drawn first: more than most screens can show. The others follow one frame later, so that reading can begin. */
const FIRST_ROWS = 24;

/** Whether the browser has painted the first rows. */
function useFirstPaintOver(): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The requested frame is painted before the task that follows it.
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

/** Makes the table itself focusable, so that arrow keys scroll to hidden columns even where no row has a button. */
const REACHED_BY_KEYS = { table: (props: ComponentProps<'table'>) => <table {...props} tabIndex={0} /> };

/** Redrawn only when a prop changes: an answer without changes redraws no row. */
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
  // On a list that a role may only read, no row has an action.
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
        // The sideways scroll bar is placed on top of the pager.
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

/** Cuts the content of a cell to the column width that the user set. */
function inWidth(pixels: number | undefined, content: ReactNode): ReactNode {
  if (pixels === undefined) return content;
  return (
    <div className={styles['cut']} style={{ width: pixels }}>
      {content}
    </div>
  );
}

/** Replaces antd's checkbox by the browser's own, with the same behaviour: a page has up to 200 of them. */
function plainBox(box: ReactNode): ReactNode {
  // antd reads the shift key of the change event, which the browser's own event has too.
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

/**
 * antd draws an invisible copy of the head to measure it. A checkbox in that copy would take the keyboard focus unseen, so it is
 * left out.
 */
function Visible({ children }: { readonly children: ReactNode }) {
  const [measured, setMeasured] = useState(false);
  if (measured) return null;
  const look = (span: HTMLSpanElement | null) => {
    if (span?.closest('[aria-hidden=true]')) setMeasured(true);
  };
  return <span ref={look}>{children}</span>;
}

/** Grey rows in the shape of the table, on the first load only. */
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
