import { use, useState } from 'react';
import { TabLocationContext } from './tab-location.ts';

/**
 * What was typed and not sent is marked in the document, not in a register: a hidden tab has no effects that could keep
 * one right, but its elements stay, dialogs among them.
 */
const ATTRIBUTE = 'data-unsaved';

/** Whether closing the tab at `path` would lose what somebody typed. */
export function hasUnsaved(path: string): boolean {
  return document.querySelector(`[${ATTRIBUTE}="${CSS.escape(path)}"]`) !== null;
}

/** For the element around fields: from the first input in it on, its tab has something to lose. */
export function useUnsavedMark(): { readonly onInput: () => void } {
  const path = use(TabLocationContext)?.path;
  const [typed, setTyped] = useState(false);
  return { onInput: () => setTyped(true), ...(typed && path !== undefined ? { [ATTRIBUTE]: path } : {}) };
}
