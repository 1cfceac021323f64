import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Locale } from '@sangam/contract/locale.ts';
import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import type { PhoneTexts } from './texts.ts';

export interface PhoneContext {
  readonly locale: Locale;
  readonly texts: PhoneTexts;
  readonly viewer: UserInfo;
}

/** The signed-in user, and the language. */
export const Phone = createContext<PhoneContext | undefined>(undefined);

export function usePhone(): PhoneContext {
  const phone = useContext(Phone);
  if (!phone) throw new Error('outside of the phone');
  return phone;
}
