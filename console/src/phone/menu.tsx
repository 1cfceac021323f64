/** @jsxImportSource preact */
import { useId, useState } from 'preact/hooks';
import { user } from 'virtual:endpoints/user';
import { LOCALES } from '@sangam/contract/locale.ts';
import { appearance, APPEARANCES } from '../appearance/appearance.ts';
import { keepLanguage, LANGUAGE_NAMES, localeOf } from '../language/choice.ts';
import { session } from '../session/session.ts';
import { call } from './call.ts';
import { usePhone } from './context.ts';
import { Install } from './install.tsx';
import styles from './phone.module.css';
import { switchPushOff } from './push.ts';
import { PushSwitch } from './push-switch.tsx';
import { Sheet } from './sheet.tsx';

/** The full console: complete lists, balances and everything else. */
const CONSOLE = '/home';

/** After this time sign-out goes on, even if the connection is bad. */
const PUSH_MS = 2_000;

const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))]);

/**
 * Ends the session on this device, even if the server does not hear of it. The server's session then ends by its age limit at the
 * latest.
 */
export async function signOut(): Promise<void> {
  // Before the session ends: the server lets only the signed-in user switch notices off.
  await within(PUSH_MS, switchPushOff()).catch(() => undefined);
  call(user.logout, {}).catch(() => undefined);
  session.end('signedOut');
}

interface MenuProps {
  readonly onLanguage: () => void;
  readonly onClose: () => void;
}

export function Menu({ onLanguage, onClose }: MenuProps) {
  const { texts, locale, viewer } = usePhone();
  const [languageId, appearanceId] = [useId(), useId()];
  const [shown, setShown] = useState(appearance.choice);
  return (
    <Sheet title={viewer.name} onClose={onClose}>
      <div className={styles['field']}>
        <label htmlFor={languageId}>{texts.shell.language}</label>
        <select
          id={languageId}
          value={locale}
          onChange={({ currentTarget }) => {
            const chosen = localeOf(currentTarget.value);
            if (chosen) keepLanguage(chosen);
            onLanguage();
          }}
        >
          {LOCALES.map((each) => (
            <option key={each} value={each} lang={each}>
              {LANGUAGE_NAMES[each]}
            </option>
          ))}
        </select>
      </div>
      <div className={styles['field']}>
        <label htmlFor={appearanceId}>{texts.shell.appearance}</label>
        <select
          id={appearanceId}
          value={shown}
          onChange={({ currentTarget }) => {
            const chosen = APPEARANCES.find((each) => each === currentTarget.value);
            if (!chosen) return;
            appearance.choose(chosen);
            setShown(chosen);
          }}
        >
          {APPEARANCES.map((each) => (
            <option key={each} value={each}>
              {texts.shell.appearances[each]}
            </option>
          ))}
        </select>
      </div>
      <PushSwitch />
      <Install />
      <a className={styles['plain']} href={CONSOLE}>
        {texts.phone.console}
      </a>
      <button type="button" className={styles['plain']} onClick={() => void signOut()}>
        {texts.shell.signOut}
      </button>
    </Sheet>
  );
}
