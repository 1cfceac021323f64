/** The contract's endpoints without their schemas (see vite.config.ts), typed from the contract itself. */
declare module 'virtual:endpoints' {
  import type { z } from 'zod';
  import type { Access, Endpoint } from '@sangam/contract/endpoint.ts';
  import type * as chain from '@sangam/contract/endpoints/chain.ts';
  import type * as list from '@sangam/contract/endpoints/list.ts';
  import type * as lost from '@sangam/contract/endpoints/lost.ts';
  import type * as errorLog from '@sangam/contract/endpoints/error-log.ts';
  import type * as message from '@sangam/contract/endpoints/message.ts';
  import type * as messageTemplate from '@sangam/contract/endpoints/message-template.ts';
  import type * as monitor from '@sangam/contract/endpoints/monitor.ts';
  import type * as bankStatement from '@sangam/contract/endpoints/bank-statement.ts';
  import type * as search from '@sangam/contract/endpoints/search.ts';
  import type * as account from '@sangam/contract/endpoints/account.ts';
  import type * as order from '@sangam/contract/endpoints/order.ts';
  import type * as party from '@sangam/contract/endpoints/party.ts';
  import type * as admin from '@sangam/contract/endpoints/admin.ts';
  import type * as callback from '@sangam/contract/endpoints/callback.ts';
  import type * as fund from '@sangam/contract/endpoints/fund.ts';
  import type * as gateway from '@sangam/contract/endpoints/gateway.ts';
  import type * as home from '@sangam/contract/endpoints/home.ts';
  import type * as interfaceTest from '@sangam/contract/endpoints/interface-test.ts';
  import type * as kyc from '@sangam/contract/endpoints/kyc.ts';
  import type * as merchant from '@sangam/contract/endpoints/merchant.ts';
  import type * as profile from '@sangam/contract/endpoints/profile.ts';
  import type * as product from '@sangam/contract/endpoints/product.ts';
  import type * as settlement from '@sangam/contract/endpoints/settlement.ts';
  import type * as terms from '@sangam/contract/endpoints/terms.ts';
  import type * as todo from '@sangam/contract/endpoints/todo.ts';
  import type * as payout from '@sangam/contract/endpoints/payout.ts';
  import type * as payScript from '@sangam/contract/endpoints/pay-script.ts';
  import type * as payoutBatch from '@sangam/contract/endpoints/payout-batch.ts';
  import type * as payoutTemplate from '@sangam/contract/endpoints/payout-template.ts';
  import type * as usdt from '@sangam/contract/endpoints/usdt.ts';
  import type * as user from '@sangam/contract/endpoints/user.ts';

  export interface Call<Input, Output> {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    /** Who may make the call. */
    readonly access: Access;
    /** Never there at run time: carries the types. */
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
    readonly list: CallsOf<typeof list>;
    readonly lost: CallsOf<typeof lost>;
    readonly errorLog: CallsOf<typeof errorLog>;
    readonly message: CallsOf<typeof message>;
    readonly messageTemplate: CallsOf<typeof messageTemplate>;
    readonly monitor: CallsOf<typeof monitor>;
    readonly bankStatement: CallsOf<typeof bankStatement>;
    readonly search: CallsOf<typeof search>;
    readonly account: CallsOf<typeof account>;
    readonly order: CallsOf<typeof order>;
    readonly party: CallsOf<typeof party>;
    readonly admin: CallsOf<typeof admin>;
    readonly callback: CallsOf<typeof callback>;
    readonly chain: CallsOf<typeof chain>;
    readonly fund: CallsOf<typeof fund>;
    readonly gateway: CallsOf<typeof gateway>;
    readonly home: CallsOf<typeof home>;
    readonly interfaceTest: CallsOf<typeof interfaceTest>;
    readonly kyc: CallsOf<typeof kyc>;
    readonly merchant: CallsOf<typeof merchant>;
    readonly profile: CallsOf<typeof profile>;
    readonly product: CallsOf<typeof product>;
    readonly settlement: CallsOf<typeof settlement>;
    readonly terms: CallsOf<typeof terms>;
    readonly todo: CallsOf<typeof todo>;
    readonly payout: CallsOf<typeof payout>;
    readonly payScript: CallsOf<typeof payScript>;
    readonly payoutBatch: CallsOf<typeof payoutBatch>;
    readonly payoutTemplate: CallsOf<typeof payoutTemplate>;
    readonly usdt: CallsOf<typeof usdt>;
    readonly user: CallsOf<typeof user>;
  };
}

/** The same of one area each, for what comes before the shell. */
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

declare module 'virtual:endpoints/user' {
  import type { endpoints } from 'virtual:endpoints';
  export const user: (typeof endpoints)['user'];
}
