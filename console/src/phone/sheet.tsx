/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { usePhone } from './context.ts';
import styles from './phone.module.css';

interface SheetProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Fills the window; otherwise the sheet is at the bottom. */
  readonly whole?: boolean;
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Uses the browser's own dialog, which holds the focus and blocks everything behind it. */
export function Sheet({ title, onClose, whole = false, foot, children }: SheetProps) {
  const { texts } = usePhone();
  const dialog = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    // The browser returns the focus when a dialog is closed, but not when it is removed from the page.
    return () => opener instanceof HTMLElement && opener.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${styles['sheet']} ${whole ? styles['whole'] : ''}`}
      aria-labelledby={headingId}
      onClose={onClose}
    >
      <header className={styles['head']}>
        <h2 id={headingId}>{title}</h2>
        <button type="button" className={styles['quiet']} onClick={onClose}>
          {texts.phone.close}
        </button>
      </header>
      <div className={styles['body']}>{children}</div>
      {foot && <footer className={styles['foot']}>{foot}</footer>}
    </dialog>
  );
}
