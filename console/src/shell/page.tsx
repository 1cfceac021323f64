import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { Screen } from '@sangam/contract/screens.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { partOf, type PagePart } from './pages.ts';

type Page = ComponentType<PageProps> | LazyExoticComponent<ComponentType<PageProps>>;

const pages = new Map<PagePart, Page>();

/** The component of a page: the page itself where it has already loaded, otherwise one that loads it. */
export function pageOf(screen: Screen): Page | undefined {
  const part = partOf(screen);
  if (!part) return undefined;
  const page = pages.get(part) ?? part.component() ?? lazy(async () => ({ default: await part.load() }));
  pages.set(part, page);
  return page;
}
