import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { NothingYet } from '../figures/details.tsx';
import styles from './lost-orders.module.css';

interface QueueProps<Row> {
  readonly title: string;
  readonly total: number | undefined;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly chosen: string | undefined;
  readonly onChoose: (row: Row | undefined) => void;
  readonly emptyText: string;
  readonly extra?: ReactNode;
  readonly children: (row: Row) => ReactNode;
}

/** A list to choose one row from. Arrow keys move through the rows and between the two queues; Enter or space chooses. */
export function Queue<Row>(props: QueueProps<Row>) {
  const { title, total, rows, keyOf, chosen, onChoose, emptyText, extra, children } = props;
  const list = useRef<HTMLUListElement>(null);

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const to = targetOf(event.key, list.current);
    if (!to) return;
    event.preventDefault();
    to.focus();
  };

  return (
    <section className={styles['queue']} aria-label={title}>
      <header>
        <h2>
          {title}
          {total !== undefined && <span className={styles['count']}>{total}</span>}
        </h2>
        {extra}
      </header>
      {rows.length === 0 ? (
        <NothingYet text={emptyText} />
      ) : (
        <ul ref={list} data-queue onKeyDown={onKeyDown}>
          {rows.map((row) => {
            const isChosen = keyOf(row) === chosen;
            return (
              <li key={keyOf(row)}>
                <button
                  type="button"
                  aria-pressed={isChosen}
                  className={isChosen ? `${styles['row']} ${styles['chosen']}` : styles['row']}
                  onClick={() => onChoose(isChosen ? undefined : row)}
                >
                  {children(row)}
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

function targetOf(key: string, list: HTMLUListElement | null): HTMLElement | undefined {
  if (!list) return undefined;
  const buttons = [...list.querySelectorAll('button')];
  const index = buttons.findIndex((button) => button === document.activeElement);
  if (key === 'ArrowDown') return buttons[Math.min(index + 1, buttons.length - 1)];
  if (key === 'ArrowUp') return buttons[Math.max(index - 1, 0)];
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  const queues = [...(list.closest('[data-queues]')?.querySelectorAll('[data-queue]') ?? [])];
  const beside = queues[queues.indexOf(list) + (key === 'ArrowRight' ? 1 : -1)];
  const there = [...(beside?.querySelectorAll('button') ?? [])];
  return there[Math.min(index, there.length - 1)];
}
