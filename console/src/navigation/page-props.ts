import type { Place } from './place.ts';

/** Props of a page: which variant of its screen it shows, and the order code where it shows a single order. */
export type PageProps = Place;
