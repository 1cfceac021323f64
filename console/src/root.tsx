import { lazy, Suspense, useSyncExternalStore } from 'react';
import { Navigate, useLocation } from 'react-router';
import { session } from './session/session.ts';
import { useAppearance } from './shell/appearance.ts';
import { chunk } from './shell/chunk.ts';
import { EntryBoundary } from './shell/entry-boundary.tsx';
import { enter, LOGIN } from './shell/guard.ts';
import { LoadingBar } from './shell/loading-bar.tsx';
import { LoginPage } from './sign-in/login-page.tsx';

const loadInside = () => import('./inside.tsx');
const Inside = lazy(() => chunk(async () => ({ default: (await loadInside()).Inside })));

/** Where the sign-in page was asked for from. */
function wantedPage(state: unknown): string | undefined {
  return typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string'
    ? state.from
    : undefined;
}

export function Root() {
  useAppearance();
  const token = useSyncExternalStore(session.subscribe, session.token);
  const { pathname, search, state } = useLocation();
  const entry = enter(pathname, token !== undefined, session.binding() !== undefined);
  if ('go' in entry) {
    // A session that ran out leads back to where it was; a sign-out does not.
    if (entry.go === LOGIN) {
      const from = session.mayReturn() ? `${pathname}${search}` : undefined;
      return <Navigate to={LOGIN} replace state={{ from }} />;
    }
    return <Navigate to={wantedPage(state) ?? entry.go} replace />;
  }
  switch (entry.show) {
    case 'login':
      return <LoginPage onTyping={() => void loadInside().catch(() => undefined)} />;
    case 'binding':
    case 'shell':
      return (
        <EntryBoundary>
          <Suspense fallback={<LoadingBar />}>
            <Inside key={token} show={entry.show} />
          </Suspense>
        </EntryBoundary>
      );
  }
}
