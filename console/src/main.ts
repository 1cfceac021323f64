import './app.css';
import { user } from 'virtual:endpoints/user';
import { chosenLanguage } from './language/choice.ts';
import { loadTexts } from './language/texts.ts';
import { session } from './session/session.ts';
import { startAppearance } from './appearance/appearance.ts';
import { chunk } from './navigation/chunk.ts';
import { enter, LOGIN } from './navigation/guard.ts';
import { loadPageAt } from './shell/pages.ts';
import { call } from './sign-in/call.ts';
import { clearEntry, drawEntry, type EntryPage } from './sign-in/entry.tsx';

/*
 * The first script, without React. It decides between the sign-in page and the shell, draws the first at once, and loads everything
 * that the shell needs at the same time.
 */
const loadApp = () => import('./app.tsx');

const shellPlace = document.getElementById('root')!;
const entryPlace = document.getElementById('entry')!;

let closeShell: (() => void) | undefined;
/** Token of the session whose shell is open or loading. */
let shellOf: string | undefined;

function drawPage(page: EntryPage): void {
  drawEntry(entryPlace, { page, onTyping: () => void loadApp().catch(() => undefined) });
}

/** The page that the user wanted when the sign-in page came up. */
function wanted(): string | undefined {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string'
    ? state.from
    : undefined;
}

function openShell(token: string): void {
  closeShell?.();
  closeShell = undefined;
  shellOf = token;
  drawPage('loading');
  const info = call(user.getInfo, {}).catch(() => undefined);
  const texts = loadTexts(chosenLanguage());
  const page = loadPageAt(location.pathname);
  const prefetched = Promise.all([import('./prefetch.ts'), info]).then(([{ prefetch }, viewer]) =>
    viewer ? prefetch(location.pathname, location.search, viewer) : [],
  );
  chunk(() => Promise.all([loadApp(), info, prefetched, texts, page]))
    .then(async ([app, viewer, answers]) => {
      // Meanwhile the user has signed out, or somebody else has signed in.
      if (shellOf !== token) return;
      closeShell = await app.openShell(shellPlace, viewer, answers, () => clearEntry(entryPlace));
    })
    .catch(() => {
      if (shellOf === token) drawPage('failed');
    });
}

function show(): void {
  const { pathname, search } = location;
  const token = session.token();
  const entry = enter(pathname, token !== undefined, session.binding() !== undefined);
  if ('show' in entry && entry.show === 'shell' && token !== undefined) {
    if (token !== shellOf) openShell(token);
    return;
  }
  if ('go' in entry && token !== undefined) {
    history.replaceState(null, '', wanted() ?? entry.go);
    show();
    return;
  }
  closeShell?.();
  closeShell = undefined;
  shellOf = undefined;
  if ('go' in entry) {
    // After an expired session, sign-in leads back to the same page; after a sign-out it does not.
    const from = session.mayReturn() && entry.go === LOGIN ? `${pathname}${search}` : undefined;
    history.replaceState({ from }, '', entry.go);
    show();
  } else drawPage(entry.show === 'shell' ? 'login' : entry.show);
}

startAppearance();
session.subscribe(show);
// Runs before the shell's router handles the event, so the router sees the address as this function leaves it.
addEventListener('popstate', show);
show();
