import { useEffect } from 'react';

export interface ListKeys {
  readonly search: () => void;
  readonly reload: () => void;
  readonly move: (step: 1 | -1) => void;
  readonly openRow: () => void;
  readonly closeDrawer: () => void;
  /** Picks the row for a bulk action, or unpicks it. */
  readonly pickRow: () => void;
}

/** Keys typed into a field, or pressed in an open menu, are not commands. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('[role=menu]') !== null);

/** A key pressed together with Ctrl, Alt or the like belongs to the browser or the system. */
export const hasModifier = ({
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>) => ctrlKey || metaKey || altKey;

const dialogOpen = () => document.querySelector('.ant-modal-wrap:not([style*="none"])') !== null;

/** `/` search · `r` reload · arrows or `j` `k` rows · Enter opens · `x` picks · Esc closes. Only the tab in front listens. */
export function useListKeys(keys: ListKeys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || hasModifier(event) || dialogOpen()) return;
      if (event.key === 'Escape') {
        keys.closeDrawer();
        return;
      }
      if (isTyping(event.target)) return;
      // A focused button, link or choice handles its own keys. In a drawer the arrows scroll.
      const onControl =
        event.target instanceof HTMLElement &&
        event.target.closest('button, a, [role=tab], [role=radiogroup], .ant-segmented, .ant-drawer') !==
          null;
      if (onControl && /^(Enter|Arrow)/.test(event.key)) return;
      switch (event.key) {
        case '/':
          keys.search();
          break;
        case 'r':
          keys.reload();
          break;
        case 'j':
        case 'ArrowDown':
          keys.move(1);
          break;
        case 'k':
        case 'ArrowUp':
          keys.move(-1);
          break;
        case 'x':
          keys.pickRow();
          break;
        case 'Enter':
          keys.openRow();
          break;
        default:
          return;
      }
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}
