import type { Role } from '@sangam/contract/roles.ts';
import { mayOpen, screenAt } from '@sangam/contract/screens.ts';
import { placeAt, type Place } from './place.ts';

export const HOME = '/home';
export const LOGIN = '/login';
export const BINDING = '/googleVerify';
export const SET_PASSWORDS = '/setPasswords';
/** The company's identity service redirects the browser to this path (server/src/access/company/identity-service.ts). */
const COMPANY = '/companySignIn';
export const PROFILE = '/profile/list';
export const FORBIDDEN = '/error_401';
export const INBOX = '/message_page';
export const ERROR_LOG = '/error_logger_page';

export type Entry =
  | { readonly go: string }
  | { readonly show: 'login' | 'binding' | 'setPasswords' | 'company' | 'shell' };

/** Decides before the user is known: without a token the sign-in page is shown, with a token it is not. */
export function enter(path: string, signedIn: boolean, binding: boolean): Entry {
  // Another user may still be signed in in this browser.
  if (path === SET_PASSWORDS) return { show: 'setPasswords' };
  if (path === COMPANY) return { show: 'company' };
  const isPublic = screenAt(path)?.roles === 'public';
  if (!signedIn && !isPublic) return { go: LOGIN };
  if (signedIn && isPublic) return { go: HOME };
  if (path === BINDING) return binding ? { show: 'binding' } : { go: LOGIN };
  if (path === LOGIN) return { show: 'login' };
  return path === '/' ? { go: HOME } : { show: 'shell' };
}

export type Admission =
  | { readonly kind: 'page'; readonly place: Place }
  | { readonly kind: 'forbidden' | 'unknown' };

/** Decides once the user is known: what this role gets at `path`. */
export function admit(path: string, role: Role): Admission {
  const place = placeAt(path);
  if (!place) return { kind: 'unknown' };
  if (!mayOpen(role, place.screen)) return { kind: 'forbidden' };
  return { kind: 'page', place };
}
