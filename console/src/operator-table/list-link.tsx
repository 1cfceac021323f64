import type { ReactNode } from 'react';
import { screenFor } from '@sangam/contract/screens.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useViewer } from '../session/viewer.ts';
import { listQuery, type LinkedList, type LinkFilters } from './list-links.ts';

interface ListLinkProps<List extends LinkedList> {
  readonly list: List;
  readonly filters: LinkFilters<List>;
  /** Key of the row whose drawer the link opens. */
  readonly open?: string;
  readonly label?: string;
  readonly children: ReactNode;
}

/** A number as a link to the list of what it counts, in a tab of its own. Plain text where the viewer has no such list. */
export function ListLink<List extends LinkedList>({
  list,
  filters,
  open,
  label,
  children,
}: ListLinkProps<List>) {
  const { access } = useViewer();
  const { openTab } = useTabLocation();
  const path = screenFor(access, list)?.path;
  if (path === undefined) return children;
  const query = listQuery(list, filters, open);
  return (
    <a
      href={`${path}${query}`}
      aria-label={label}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        openTab(path, () => query);
      }}
    >
      {children}
    </a>
  );
}
