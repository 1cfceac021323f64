/** The texts of the supplier's phone app, taken from the console's texts (see vite-plugins.ts). */
declare module 'virtual:phone-texts/en-US' {
  import type console from '../locales/en-US.json';

  export type PhoneTexts = Pick<
    typeof console,
    'phone' | 'payouts' | 'orders' | 'actions' | 'secondPassword' | 'figures' | 'errors' | 'shell'
  > & {
    readonly consequence: Pick<(typeof console)['consequences']['payout'], 'cancelClaim'>;
  };

  export const texts: PhoneTexts;
}

declare module 'virtual:phone-texts/zh-CN' {
  export { texts } from 'virtual:phone-texts/en-US';
}

declare module 'virtual:phone-texts/zh-TW' {
  export { texts } from 'virtual:phone-texts/en-US';
}
