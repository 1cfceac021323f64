/** The texts shown before the shell has loaded, in every language (see vite.config.ts). */
declare module 'virtual:entry-texts' {
  import type { Locale } from '@sangam/contract/locale.ts';
  import type contract from '@sangam/contract/locales/en-US.json';
  import type console from '../locales/en-US.json';

  export type EntryTexts = Pick<typeof console, 'signIn' | 'binding' | 'setPasswords' | 'figures'> & {
    readonly shell: Pick<(typeof console)['shell'], 'language' | 'appearance' | 'appearances'>;
    readonly errors: Pick<
      (typeof console)['errors'],
      | 'noAnswer'
      | 'passkey'
      | 'newVersion'
      | 'newVersionHint'
      | 'offline'
      | 'offlineHint'
      | 'offlineBanner'
      | 'reload'
    >;
    readonly sessionExpired: (typeof contract)['codes']['sessionExpired'];
  };

  export const texts: Readonly<Record<Locale, EntryTexts>>;
}
