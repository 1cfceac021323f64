/** @jsxImportSource preact */
import { user } from 'virtual:endpoints/user';
import { startAppearance } from '../appearance/appearance.ts';
import { CallError, NO_ANSWER } from '../http/call-error.ts';
import { chosenLanguage } from '../language/choice.ts';
import { chunk } from '../navigation/chunk.ts';
import { session } from '../session/session.ts';
import { clearEntry, drawEntry } from '../sign-in/entry.tsx';
import { call } from './call.ts';
import { forgetKept, readKept } from './kept.ts';
import { listenForInstall } from './install.tsx';
import { loadTexts } from './texts.ts';
import { startWorker } from './version.ts';

const HOME = '/m/';
const loadApp = () => chunk(() => import('./app.tsx'));

/** Who is signed in; without a connection, who was. */
async function viewerNow() {
  try {
    return await call(user.getInfo, {});
  } catch (error) {
    const kept = error instanceof CallError && error.code === NO_ANSWER ? readKept() : undefined;
    if (kept) return kept.viewer;
    throw error;
  }
}

/** Decides between signing in, as the console has it, and the payouts. */
export function startPhone(place: Element, entryPlace: Element): void {
  /** The session whose payouts are open or on their way. */
  let openOf: string | undefined;
  let close: (() => void) | undefined;
  const drawEntryPage = (page: 'login' | 'binding' | 'loading' | 'failed') =>
    drawEntry(entryPlace, { page, onTyping: () => void loadApp().catch(() => undefined) });

  const open = async (token: string) => {
    const locale = chosenLanguage();
    drawEntryPage('loading');
    try {
      const [app, texts, viewer] = await Promise.all([loadApp(), loadTexts(locale), viewerNow()]);
      // Signed out meanwhile, or in as somebody else.
      if (openOf !== token) return;
      clearEntry(entryPlace);
      app.openApp(place, { viewer, texts, locale });
      close = () => app.closeApp(place);
    } catch {
      if (openOf === token) drawEntryPage('failed');
    }
  };

  const show = () => {
    const token = session.token();
    if (token !== undefined && token === openOf) return;
    close?.();
    close = undefined;
    if (openOf !== undefined || token === undefined) forgetKept();
    openOf = token;
    if (token !== undefined) {
      void open(token);
      return;
    }
    // The sign-in pages of the console have addresses of their own; here all stand at one.
    if (location.pathname !== HOME) history.replaceState(null, '', HOME);
    drawEntryPage(session.binding() ? 'binding' : 'login');
  };

  startAppearance();
  listenForInstall();
  void startWorker().catch(() => undefined);
  session.subscribe(show);
  show();
}
