/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { usePhone } from './context.ts';
import styles from './phone.module.css';

/** The event with which Chromium lets a page offer its installation. It is not part of any standard. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let offered: InstallPrompt | undefined;
const listeners = new Set<() => void>();

/** Keeps the browser's event until the user opens the menu. */
export function listenForInstall(): void {
  const set = (next: InstallPrompt | undefined) => {
    offered = next;
    listeners.forEach((listener) => listener());
  };
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    set(event as InstallPrompt);
  });
  addEventListener('appinstalled', () => set(undefined));
}

const isInstalled = () => matchMedia('(display-mode: standalone)').matches;
/** Safari on a phone or tablet installs by its own menu; a page cannot ask. */
const isApple = () =>
  /iPhone|iPad/.test(navigator.userAgent) || ('standalone' in navigator && navigator.maxTouchPoints > 1);

/** Installs the app on the phone, or says how to do it. */
export function Install() {
  const { phone } = usePhone().texts;
  const [prompt, setPrompt] = useState(() => offered);
  useEffect(() => {
    const look = () => setPrompt(() => offered);
    listeners.add(look);
    return () => void listeners.delete(look);
  }, []);
  if (isInstalled()) return null;
  if (prompt)
    return (
      <button type="button" className={styles['plain']} onClick={() => void prompt.prompt()}>
        {phone.install}
      </button>
    );
  return isApple() ? <p className={styles['soft']}>{phone.installApple}</p> : null;
}
