import { endpoints } from 'virtual:endpoints';
import { call } from '../http/client.ts';
import { SEEN } from '../notifier/use-new-orders.ts';
import { writePreference } from '../session/kept-preference.ts';
import { session } from '../session/session.ts';

/** Where a user's open tabs are stored. */
export const TABS = 'tabs';

/** Always ends here, whether or not the server hears of it; the session there dies of age at the latest. */
export function signOut(userId: string): void {
  call(endpoints.user.logout, {}).catch(() => undefined);
  writePreference(userId, TABS, undefined);
  writePreference(userId, SEEN, undefined);
  session.end('signedOut');
}
