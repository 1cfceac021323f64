import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { MOST_PICKED } from './bulk-bar.tsx';
import { isSelecting, rowClasses, type ListTableProps } from './list-table-props.ts';
import styles from './row-cards.module.css';
import type { Picked } from './use-picked.ts';
import { RowMenu, RowMenuButton, type RowMenuHandle } from './row-menu.tsx';

/** A column at least this wide takes the full width of a card. */
const WIDE_PX = 200;

/** The rows of a list as cards, for a phone held upright, where a table's columns would not fit. */
export function RowCards<Row extends object>(props: ListTableProps<Row>) {
  const { t } = useTranslation();
  const menu = useRef<RowMenuHandle>(null);
  const { rows, keyOf, onOpen, actionsOf, picked } = props;
  const [names = props.columns[0]] = props.columns.filter((column) => column.names);
  const others = props.columns.filter((column) => column !== names);
  const here = new Set(rows.map(keyOf));
  const isPagePicked = [...here].every((key) => picked?.keys.includes(key));
  // Rows picked on other pages stay picked.
  const pickPage = (all: Picked<Row>) => {
    const elsewhere = all.rows.filter((row) => !here.has(keyOf(row)));
    all.pick(isPagePicked ? elsewhere : [...elsewhere, ...rows]);
  };
  if (rows.length === 0) return <div className={styles['nothing']}>{props.empty}</div>;
  return (
    <div
      className={[styles['box'], props.dimmed && styles['dimmed']].filter(Boolean).join(' ')}
      aria-busy={props.dimmed}
      data-menu-box
    >
      {picked && (
        <label className={styles['all']}>
          <input type="checkbox" checked={isPagePicked} onChange={() => pickPage(picked)} />
          {t('bulk.pickAll')}
        </label>
      )}
      <ul aria-label={props.caption} className={styles['cards']}>
        {rows.map((row) => {
          const key = keyOf(row);
          const actions = actionsOf?.(row) ?? [];
          return (
            <li
              key={key}
              data-row={key}
              className={rowClasses(props, key, styles)}
              {...(onOpen ? { onClick: () => isSelecting() || onOpen(row) } : {})}
            >
              <div className={styles['head']}>
                {picked && (
                  <input
                    type="checkbox"
                    aria-label={t('bulk.pick', { key })}
                    checked={picked.keys.includes(key)}
                    disabled={picked.keys.length >= MOST_PICKED && !picked.keys.includes(key)}
                    onClick={(event) => event.stopPropagation()}
                    onChange={() => picked.toggle(row)}
                  />
                )}
                <div className={styles['name']}>{names?.render(row)}</div>
                <RowMenuButton of={key} actions={actions} menu={menu} />
              </div>
              <dl>
                {others.map((column) => (
                  <div key={column.key} className={(column.width ?? 0) >= WIDE_PX ? styles['wide'] : ''}>
                    <dt>{column.title}</dt>
                    <dd>{column.render(row)}</dd>
                  </div>
                ))}
              </dl>
            </li>
          );
        })}
      </ul>
      <RowMenu ref={menu} />
    </div>
  );
}
