import { useEffect, useRef } from 'react';
import type { ListArrangement, ListView } from './arrangement.ts';
import type { ListControl } from './use-list-state.ts';

/** Returns a function that shows a list as a saved view has it. The default view applies by itself where the address sets nothing. */
export function useViews(kept: ListArrangement, control: ListControl): (view: ListView) => void {
  const { filters, open, page } = control.state;
  const filtered = Object.keys(filters).length > 0;
  const applyView = (view: ListView, quietly = false) => {
    control.setFilters(view.filters, quietly);
    kept.arrange({ columns: undefined, density: undefined, ...view.arrangement });
  };
  // The default view applies only once, when the address sets nothing. Filters that the user clears later stay cleared.
  const asked = useRef(filtered || open !== undefined);
  const defaultView = kept.views?.find((view) => view.id === kept.defaultViewId);
  useEffect(() => {
    if (asked.current || !kept.views) return;
    asked.current = true;
    // The views may arrive late. They do not replace what the user has begun to look at meanwhile.
    if (defaultView && !filtered && open === undefined && page === 1) applyView(defaultView, true);
  });
  return applyView;
}
