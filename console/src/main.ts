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
 * The first script, without React: decides between the sign-in page and the shell, draws the one at once and asks for everything
 * the other needs in one go.
 */
const loadApp = () => import('./app.tsx');

const shellPlace = document.getElementById('root')!;
const entryPlace = document.getElementById('entry')!;

let closeShell: (() => void) | undefined;
/** The session whose shell is open or on its way. */
let shellOf: string | undefined;

function drawPage(page: EntryPage): void {
  drawEntry(entryPlace, { page, onTyping: () => void loadApp().catch(() => undefined) });
}

/** The page the sign-in page was asked for from. */
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
      // Signed out meanwhile, or in as somebody else.
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
    // A session that ran out leads back to where it was; a sign-out does not.
    const from = session.mayReturn() && entry.go === LOGIN ? `${pathname}${search}` : undefined;
    history.replaceState({ from }, '', entry.go);
    show();
  } else drawPage(entry.show === 'shell' ? 'login' : entry.show);
}

startAppearance();
session.subscribe(show);
// Before the shell's router hears of it, which then finds the address as it is left here.
addEventListener('popstate', show);
show();
