import { endpoints } from 'virtual:endpoints';
import { call } from '../http/client.ts';
import { SEEN } from '../notifier/use-new-orders.ts';
import { writePreference } from '../session/kept-preference.ts';
import { session } from '../session/session.ts';

/** Key under which a user's open tabs are stored. */
export const TABS = 'tabs';

/**
 * Ends the session in this browser, even if the server does not hear of it. The server's session then ends by its age limit at the
 * latest.
 */
export function signOut(userId: string): void {
  call(endpoints.user.logout, {}).catch(() => undefined);
  writePreference(userId, TABS, undefined);
  writePreference(userId, SEEN, undefined);
  session.end('signedOut');
}
