import { useEffect, useEffectEvent, useState } from 'react';
import { mergeLive, showAll, type LiveRows } from './live-rows.ts';

interface Held<Row> extends LiveRows<Row> {
  readonly viewKey: string;
  readonly latest: readonly Row[];
}

/**
 * Rows to draw for the newest answer. `viewKey` names what is being looked at (filters, page): a different view
 * starts afresh, and until its first answer is here the rows of the one before stay. `isAtRest` is asked when an
 * answer comes, not before.
 */
export function useLiveRows<Row>(
  latest: readonly Row[] | undefined,
  viewKey: string,
  keyOf: (row: Row) => string,
  isAtRest: () => boolean,
): LiveRows<Row> & { readonly showWaiting: () => void } {
  const [held, setHeld] = useState<Held<Row>>();
  const take = useEffectEvent((answer: readonly Row[], view: string) => {
    if (held?.latest === answer && held.viewKey === view) return;
    const merged = held?.viewKey === view ? mergeLive(held.rows, answer, keyOf, isAtRest()) : showAll(answer);
    setHeld({ ...merged, viewKey: view, latest: answer });
  });
  useEffect(() => {
    if (latest) take(latest, viewKey);
  }, [latest, viewKey]);
  const current = held?.viewKey === viewKey ? held : undefined;
  return {
    ...(current ?? (latest ? showAll(latest) : (held ?? showAll<Row>([])))),
    showWaiting: () => {
      if (current) setHeld({ ...current, ...mergeLive(current.rows, current.latest, keyOf, true) });
    },
  };
}
