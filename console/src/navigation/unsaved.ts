import { use, useState } from 'react';
import { TabLocationContext } from './tab-location.ts';

/**
 * Marks unsent input in the document instead of in a store. A hidden tab runs no effects that could update a store, but its
 * elements stay, and so do its dialogs.
 */
const ATTRIBUTE = 'data-unsaved';

/** Whether closing the tab at `path` would lose typed input. */
export function hasUnsaved(path: string): boolean {
  return document.querySelector(`[${ATTRIBUTE}="${CSS.escape(path)}"]`) !== null;
}

/** Props for the element around the fields. After the first input in it, the tab counts as unsaved. */
export function useUnsavedMark(): { readonly onInput: () => void } {
  const path = use(TabLocationContext)?.path;
  const [typed, setTyped] = useState(false);
  return { onInput: () => setTyped(true), ...(typed && path !== undefined ? { [ATTRIBUTE]: path } : {}) };
}
