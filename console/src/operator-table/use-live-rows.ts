import { useEffect, useState } from 'react';
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
  useEffect(() => {
    if (!latest) return;
    setHeld((before) => {
      if (before?.latest === latest && before.viewKey === viewKey) return before;
      const merged =
        before?.viewKey === viewKey ? mergeLive(before.rows, latest, keyOf, isAtRest()) : showAll(latest);
      return { ...merged, viewKey, latest };
    });
    // Only a new answer or a new view is news; keyOf and isAtRest are read as they are then.
  }, [latest, viewKey]);
  const current = held?.viewKey === viewKey ? held : undefined;
  return {
    ...(current ?? (latest ? showAll(latest) : (held ?? showAll<Row>([])))),
    showWaiting: () => {
      if (current) setHeld({ ...current, ...mergeLive(current.rows, current.latest, keyOf, true) });
    },
  };
}
