import type contract from '@sangam/contract/locales/en-US.json';
import type console from '../locales/en-US.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof console & typeof contract };
  }
}
