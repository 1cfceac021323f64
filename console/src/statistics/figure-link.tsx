import type { ReactNode } from 'react';
import { useTabLocation } from '../navigation/tab-location.ts';
import type { ListLink } from './cell-link.ts';

interface FigureLinkProps {
  readonly link: ListLink | undefined;
  readonly label: string;
  readonly children: ReactNode;
}

/** A number that links to the orders it counts. */
export function FigureLink({ link, label, children }: FigureLinkProps) {
  const { openTab } = useTabLocation();
  if (!link) return <>{children}</>;
  return (
    <a
      href={`${link.path}${link.query}`}
      aria-label={label}
      onClick={(event) => {
        event.preventDefault();
        openTab(link.path, () => link.query);
      }}
    >
      {children}
    </a>
  );
}
