import type { Screen } from '@sangam/contract/screens.ts';

/** What a page is told: which of its variants it shows. */
export interface PageProps {
  readonly screen: Screen;
}
