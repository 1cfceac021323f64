import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { Screen } from '@sangam/contract/screens.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { partOf, type PagePart } from './pages.ts';

type Page = ComponentType<PageProps> | LazyExoticComponent<ComponentType<PageProps>>;

const pages = new Map<PagePart, Page>();

/** A page to draw: itself where it has come before it is first drawn, and one that waits for it elsewhere. */
export function pageOf(screen: Screen): Page | undefined {
  const part = partOf(screen);
  if (!part) return undefined;
  const page = pages.get(part) ?? part.component() ?? lazy(async () => ({ default: await part.load() }));
  pages.set(part, page);
  return page;
}
