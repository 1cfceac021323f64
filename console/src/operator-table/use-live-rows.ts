import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { actionCount } from '../http/acted.ts';
import { mergeLive, showAll, type AnsweredRows, type LiveRows } from './live-rows.ts';

interface Held<Row> extends LiveRows<Row> {
  readonly viewKey: string;
  readonly latest: AnsweredRows<Row>;
  /** False: taken while the reader was busy, so rows that are gone still stand there. */
  readonly settled: boolean;
}

const NOTHING = { list: [], nextCursor: null };

const isSame = (a: AnsweredRows<unknown>, b: AnsweredRows<unknown>) =>
  a.list === b.list && a.nextCursor === b.nextCursor;

/**
 * Rows to draw for the newest answer. `viewKey` names what is being looked at (filters, page): a different view
 * starts afresh, and until its first answer is here the rows of the one before stay. `isAtRest` is asked when an
 * answer comes, not before: `answeredAt` says so for an answer that is the same as the one before.
 */
export function useLiveRows<Row>(
  latest: AnsweredRows<Row> | undefined,
  viewKey: string,
  keyOf: (row: Row) => string,
  isAtRest: () => boolean,
  answeredAt: number,
): LiveRows<Row> & {
  readonly showWaiting: () => void;
  /** The next answer is shown whole, wherever the reader is: he has asked for it. So is the first after an action of his. */
  readonly settleNext: () => void;
} {
  const [held, setHeld] = useState<Held<Row>>();
  const settles = useRef(false);
  const acted = useRef(actionCount());
  // The first answer to a view is shown whole, whatever the reader does: kept at once, not in a second drawing of all rows.
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
