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
import { Sheet } from './sheet.tsx';

/** Whole lists, balances and all else. */
const CONSOLE = '/home';

/** Always ends here, whether or not the server hears of it; the session there dies of age at the latest. */
export function signOut(): void {
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
      <Install />
      <a className={styles['plain']} href={CONSOLE}>
        {texts.phone.console}
      </a>
      <button type="button" className={styles['plain']} onClick={signOut}>
        {texts.shell.signOut}
      </button>
    </Sheet>
  );
}
