import { createContext } from 'react';

/** Steps from the row of an open drawer to its neighbours in the list; undefined at an end of the page. */
export interface RowWalk {
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
}

/** Provided by the list beside the drawer. */
export const RowWalkContext = createContext<RowWalk | undefined>(undefined);
