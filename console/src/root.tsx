import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { endpoints } from 'virtual:endpoints';
import { useCall } from './http/use-call.ts';
import { session } from './session/session.ts';
import { ViewerContext } from './session/viewer.ts';
import { enter, LOGIN } from './shell/guard.ts';
import { LoadingBar } from './shell/loading-bar.tsx';
import { Notice } from './shell/notice.tsx';
import { Shell } from './shell/shell.tsx';
import { GoogleVerifyPage } from './sign-in/google-verify-page.tsx';
import { LoginPage } from './sign-in/login-page.tsx';

/** Where the sign-in page was asked for from. */
function wantedPage(state: unknown): string | undefined {
  return typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string'
    ? state.from
    : undefined;
}

export function Root() {
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
      return <LoginPage />;
    case 'binding':
      return <GoogleVerifyPage />;
    case 'shell':
      return <SignedIn key={token} />;
  }
}

/** Loads the user once, then opens the shell. */
function SignedIn() {
  const { t } = useTranslation();
  const info = useCall(endpoints.user.getInfo, {}, { staleMs: Number.POSITIVE_INFINITY });
  if (info.data) {
    return (
      <ViewerContext value={info.data}>
        <Shell />
      </ViewerContext>
    );
  }
  if (info.isError) {
    return (
      <Notice
        heading={t('errors.noUser')}
        text={info.error.message}
        action={t('common.retry')}
        onAction={() => void info.refetch()}
      />
    );
  }
  return <LoadingBar />;
}
