import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { actionCount } from '../http/acted.ts';
import { mergeLive, showAll, type AnsweredRows, type LiveRows } from './live-rows.ts';

interface Held<Row> extends LiveRows<Row> {
  readonly viewKey: string;
  readonly latest: AnsweredRows<Row>;
  /** False: the answer was merged while the reader was busy, so deleted rows are still shown. */
  readonly settled: boolean;
}

const NOTHING = { list: [], nextCursor: null };

const isSame = (a: AnsweredRows<unknown>, b: AnsweredRows<unknown>) =>
  a.list === b.list && a.nextCursor === b.nextCursor;

/**
 * The rows to draw for the newest answer. `viewKey` names the view (filters, page). A new view starts afresh, and shows the
 * previous view's rows until its first answer arrives. `isAtRest` is called only when an answer arrives; `answeredAt` tells that an
 * answer has arrived even if it equals the one before.
 */
export function useLiveRows<Row>(
  latest: AnsweredRows<Row> | undefined,
  viewKey: string,
  keyOf: (row: Row) => string,
  isAtRest: () => boolean,
  answeredAt: number,
): LiveRows<Row> & {
  readonly showWaiting: () => void;
  /**
   * The next answer is shown whole, whatever the reader does, because the reader asked for it. The same holds for the first answer
   * after a change made in this window.
   */
  readonly settleNext: () => void;
} {
  const [held, setHeld] = useState<Held<Row>>();
  const settles = useRef(false);
  const acted = useRef(actionCount());
  // The first answer to a view is shown whole. It is stored during this drawing, so that the rows are not drawn twice.
  if (latest && held?.viewKey !== viewKey) setHeld({ ...showAll(latest), viewKey, latest, settled: true });
  const take = useEffectEvent((answer: AnsweredRows<Row>, view: string) => {
    const asked = settles.current || acted.current !== actionCount();
    settles.current = false;
    acted.current = actionCount();
    if (held?.viewKey !== view || (isSame(held.latest, answer) && held.settled)) return;
    const settled = asked || isAtRest();
    setHeld({ ...mergeLive(held, answer, keyOf, settled), viewKey: view, latest: answer, settled });
  });
  useEffect(() => {
    if (latest) take(latest, viewKey);
  }, [latest, viewKey, answeredAt]);
  const current = held?.viewKey === viewKey ? held : undefined;
  return {
    ...(current ?? (latest ? showAll(latest) : (held ?? showAll<Row>(NOTHING)))),
    showWaiting: () => {
      if (current) setHeld({ ...current, ...mergeLive(current, current.latest, keyOf, true), settled: true });
    },
    settleNext: () => {
      settles.current = true;
    },
  };
}
