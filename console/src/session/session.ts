/**
 * The secrets of the session. The token is in storage that every window of this browser shares; alone it is useless, because the
 * server also wants its HttpOnly cookie. The second-level token is in memory only and ends with the page. The binding session
 * belongs to one window and one sign-in.
 */
const TOKEN_KEY = 'sangam.token';
/** Token of a session that sees the console as another user. Only this window has it. */
const SEEN_KEY = 'sangam.seen';
const BINDING_KEY = 'sangam.binding';
/** How the session ended, for the other windows of the browser. */
const ENDED_KEY = 'sangam.ended';

export interface Binding {
  readonly account: string;
  readonly token: string;
}

let secondToken: string | undefined;
let ended: string | undefined;
const listeners = new Set<() => void>();
const changed = () => listeners.forEach((listener) => listener());

export const session = {
  token: (): string | undefined =>
    sessionStorage.getItem(SEEN_KEY) ?? localStorage.getItem(TOKEN_KEY) ?? undefined,
  /** Whether this window sees the console as another user. */
  isSeeing: (): boolean => sessionStorage.getItem(SEEN_KEY) !== null,
  beginSeeing: (token: string): void => sessionStorage.setItem(SEEN_KEY, token),
  endSeeing: (): void => sessionStorage.removeItem(SEEN_KEY),
  secondToken: (): string | undefined => secondToken,
  binding: (): Binding | undefined => {
    const text = sessionStorage.getItem(BINDING_KEY);
    return text === null ? undefined : (JSON.parse(text) as Binding);
  },
  begin: (token: string): void => {
    sessionStorage.removeItem(BINDING_KEY);
    sessionStorage.removeItem(SEEN_KEY);
    localStorage.setItem(TOKEN_KEY, token);
    secondToken = undefined;
    ended = undefined;
    changed();
  },
  beginBinding: (binding: Binding): void => {
    sessionStorage.setItem(BINDING_KEY, JSON.stringify(binding));
    changed();
  },
  setSecondToken: (token: string): void => {
    secondToken = token;
  },
  /** `how` decides whether the sign-in page explains itself, and whether it leads back to the previous page. */
  end: (how: 'signedOut' | 'expired'): void => {
    if (session.isSeeing()) {
      // The user's own session may still be open.
      session.endSeeing();
      location.assign('/home');
      return;
    }
    // Written before the token is removed: the other windows read it when the token goes.
    localStorage.setItem(ENDED_KEY, how);
    localStorage.removeItem(TOKEN_KEY);
    sessionStorage.removeItem(BINDING_KEY);
    secondToken = undefined;
    ended = how;
    changed();
  },
  hasExpired: (): boolean => ended === 'expired',
  /** Whether the next sign-in may lead back to the previous page. */
  mayReturn: (): boolean => ended !== 'signedOut',
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

// A sign-out or sign-in in another window of this browser applies here too.
addEventListener('storage', (event) => {
  if (event.key === TOKEN_KEY || event.key === null) {
    secondToken = undefined;
    ended = session.token() ? undefined : (localStorage.getItem(ENDED_KEY) ?? undefined);
    changed();
  }
});
