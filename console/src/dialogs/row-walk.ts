import { createContext } from 'react';

/** From the row of an open drawer to its neighbours in the list; undefined at an end of the page. */
export interface RowWalk {
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
}

/** Given by the list that a drawer stands beside. */
export const RowWalkContext = createContext<RowWalk | undefined>(undefined);
