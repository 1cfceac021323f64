import type { Place } from './place.ts';

/** What a page is given: which of its variants it shows, and of which order where it shows only one. */
export type PageProps = Place;
