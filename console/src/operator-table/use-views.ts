import { useEffect, useRef } from 'react';
import type { ListArrangement, ListView } from './arrangement.ts';
import type { ListControl } from './use-list-state.ts';

/** Shows a list as a saved view has it. The default view is applied by itself where the address says nothing. */
export function useViews(kept: ListArrangement, control: ListControl): (view: ListView) => void {
  const { filters, open, page } = control.state;
  const filtered = Object.keys(filters).length > 0;
  const applyView = (view: ListView, quietly = false) => {
    control.setFilters(view.filters, quietly);
    kept.arrange({ columns: undefined, density: undefined, ...view.arrangement });
  };
  // The default view stands in for an address that says nothing, once: cleared filters stay cleared.
  const asked = useRef(filtered || open !== undefined);
  const defaultView = kept.views?.find((view) => view.id === kept.defaultViewId);
  useEffect(() => {
    if (asked.current || !kept.views) return;
    asked.current = true;
    // The views may come late: what the user has begun to look at meanwhile stays.
    if (defaultView && !filtered && open === undefined && page === 1) applyView(defaultView, true);
  });
  return applyView;
}
