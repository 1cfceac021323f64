/** The contract's endpoints without their schemas (see vite.config.ts), typed from the contract itself. */
declare module 'virtual:endpoints' {
  import type { z } from 'zod';
  import type { Access, Endpoint } from '@sangam/contract/endpoint.ts';
  import type { PartyDuty } from '@sangam/contract/party-roles.ts';
  import type * as areas from '@sangam/contract/endpoints/areas.ts';

  export interface Call<Input, Output> {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    /** Who may make the call. */
    readonly access: Access;
    /** Which roles within a merchant or supplier may make the call; absent: all of them. */
    readonly duty?: PartyDuty;
    /** Never present at run time; carries the types only. */
    readonly types?: { readonly input: Input; readonly output: Output };
  }

  type CallsOf<Area> = {
    readonly [Key in keyof Area as Area[Key] extends Endpoint ? Key : never]: Area[Key] extends Endpoint<
      infer Input,
      infer Output
    >
      ? Call<z.output<Input>, z.output<Output>>
      : never;
  };

  export const endpoints: {
    readonly [Area in keyof typeof areas]: CallsOf<(typeof areas)[Area]>;
  };
}

/** The same endpoints by area, for the scripts that run before the shell. */
declare module 'virtual:endpoints/list' {
  import type { endpoints } from 'virtual:endpoints';
  export const list: (typeof endpoints)['list'];
}

declare module 'virtual:endpoints/message' {
  import type { endpoints } from 'virtual:endpoints';
  export const message: (typeof endpoints)['message'];
}

declare module 'virtual:endpoints/order' {
  import type { endpoints } from 'virtual:endpoints';
  export const order: (typeof endpoints)['order'];
}

declare module 'virtual:endpoints/party' {
  import type { endpoints } from 'virtual:endpoints';
  export const party: (typeof endpoints)['party'];
}

declare module 'virtual:endpoints/payout' {
  import type { endpoints } from 'virtual:endpoints';
  export const payout: (typeof endpoints)['payout'];
}

declare module 'virtual:endpoints/push' {
  import type { endpoints } from 'virtual:endpoints';
  export const push: (typeof endpoints)['push'];
}

declare module 'virtual:endpoints/user' {
  import type { endpoints } from 'virtual:endpoints';
  export const user: (typeof endpoints)['user'];
}

declare module 'virtual:endpoints/passkey' {
  import type { endpoints } from 'virtual:endpoints';
  export const passkey: (typeof endpoints)['passkey'];
}

declare module 'virtual:endpoints/companySignIn' {
  import type { endpoints } from 'virtual:endpoints';
  export const companySignIn: (typeof endpoints)['companySignIn'];
}
