import { useImperativeHandle, useState, type Ref, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { PopupMenu } from '../dialogs/popup-menu.tsx';
import type { RowAction } from './list-definition.ts';
import styles from './list-table.module.css';

export interface RowMenuHandle {
  readonly open: (button: HTMLElement, actions: readonly RowAction[]) => void;
}

interface Shown {
  readonly button: HTMLElement;
  readonly actions: readonly RowAction[];
  /** Position of the button within the box around table and menu, in pixels. */
  readonly place: Readonly<Record<'left' | 'top' | 'width' | 'height', number>>;
}

/** One menu for the actions of all rows: a menu in each row would be drawn for nothing most of the time. */
export function RowMenu({ ref }: { readonly ref: Ref<RowMenuHandle> }) {
  const [shown, setShown] = useState<Shown>();
  const [open, setOpen] = useState(false);
  useImperativeHandle(
    ref,
    () => ({
      open: (button, actions) => {
        const box = button.closest('[data-menu-box]')?.getBoundingClientRect();
        const { left, top, width, height } = button.getBoundingClientRect();
        if (!box) return;
        // Measured from inside the box's border.
        const place = { left: left - box.left - 1, top: top - box.top - 1, width, height };
        setShown({ button, actions, place });
        setOpen(true);
      },
    }),
    [],
  );
  if (!shown) return null;
  const close = () => {
    setOpen(false);
    // Focus returns to the row's button, unless it has moved elsewhere by itself.
    const at = document.activeElement;
    if (at === null || at === document.body || at.closest('[role=menu]')) shown.button.focus();
  };
  return (
    <PopupMenu
      placement="bottomRight"
      open={open}
      onOpenChange={(next) => next || close()}
      menu={{
        items: shown.actions.map(({ key, label, icon }) => ({ key, label, icon })),
        onClick: ({ key }) => shown.actions.find((action) => action.key === key)?.run(),
      }}
    >
      <span
        className={styles['menuPlace']}
        style={{ ...shown.place, pointerEvents: open ? 'auto' : 'none' }}
      />
    </PopupMenu>
  );
}

/** The button that opens the menu of a row; nothing where the row has no actions. */
export function RowMenuButton({
  of,
  actions,
  menu,
}: {
  readonly of: string;
  readonly actions: readonly RowAction[];
  readonly menu: RefObject<RowMenuHandle | null>;
}) {
  const { t } = useTranslation();
  if (actions.length === 0) return null;
  return (
    <button
      type="button"
      className={styles['rowMenu']}
      aria-haspopup="menu"
      aria-label={t('list.actionsOf', { key: of })}
      onClick={(event) => {
        event.stopPropagation();
        menu.current?.open(event.currentTarget, actions);
      }}
    />
  );
}
