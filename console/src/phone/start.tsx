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

/** The signed-in user. Without a connection: the user of the kept data. */
async function viewerNow() {
  try {
    return await call(user.getInfo, {});
  } catch (error) {
    const kept = error instanceof CallError && error.code === NO_ANSWER ? readKept() : undefined;
    if (kept) return kept.viewer;
    throw error;
  }
}

/** Shows the sign-in page (the console's) or the payouts. */
export function startPhone(place: Element, entryPlace: Element): void {
  /** Token of the session whose payouts are open or loading. */
  let openOf: string | undefined;
  let close: (() => void) | undefined;
  const drawEntryPage = (page: 'login' | 'binding' | 'loading' | 'failed') =>
    drawEntry(entryPlace, { page, onTyping: () => void loadApp().catch(() => undefined) });

  const open = async (token: string) => {
    const locale = chosenLanguage();
    drawEntryPage('loading');
    try {
      const [app, texts, viewer] = await Promise.all([loadApp(), loadTexts(locale), viewerNow()]);
      // Meanwhile the user has signed out, or somebody else has signed in.
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
    // In the console each sign-in page has its own address; here all have the same one.
    if (location.pathname !== HOME) history.replaceState(null, '', HOME);
    drawEntryPage(session.binding() ? 'binding' : 'login');
  };

  startAppearance();
  listenForInstall();
  void startWorker().catch(() => undefined);
  session.subscribe(show);
  show();
}
