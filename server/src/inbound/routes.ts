import { scriptNotice, scriptNoticeByGet } from '@sangam/contract/endpoints/gateway.ts';
import {
  b2cResult,
  b2cStatus,
  b2cTimeout,
  c2bConfirmation,
  c2bValidation,
  stkResult,
} from '@sangam/contract/endpoints/mpesa.ts';
import { payerStk } from '@sangam/contract/endpoints/outside.ts';
import { getUsdtWallets } from '@sangam/contract/endpoints/usdt.ts';
import { createDaraja } from '../channels/mpesa/daraja.ts';
import { closedTo } from '../collection/pay-page.ts';
import { perPlatform } from '../platform/node-state.ts';
import { publicRoute, type Route, viewerRoute, webhookRoute } from '../http/route.ts';
import { takeB2cWord } from './mpesa-b2c.ts';
import { confirmC2b, validateC2b } from './mpesa-c2b.ts';
import { pushStk, takeStkResult } from './mpesa-stk.ts';
import { usdtWallets } from './usdt-wallets.ts';
import { takeScriptNotice } from './script-notice.ts';

const darajaOf = perPlatform(({ config, clock }) => createDaraja({ url: config.darajaUrl, clock }));

export const railRoutes: readonly Route[] = [
  webhookRoute(scriptNotice, takeScriptNotice),
  webhookRoute(scriptNoticeByGet, takeScriptNotice),
  webhookRoute(c2bValidation, validateC2b),
  webhookRoute(c2bConfirmation, confirmC2b),
  webhookRoute(stkResult, takeStkResult),
  webhookRoute(b2cResult, (platform, call) => takeB2cWord(platform, call, 'result')),
  webhookRoute(b2cTimeout, (platform, call) => takeB2cWord(platform, call, 'timeout')),
  webhookRoute(b2cStatus, (platform, call) => takeB2cWord(platform, call, 'status')),
  viewerRoute(getUsdtWallets, (platform) => usdtWallets(platform)),
  publicRoute(
    payerStk,
    async (platform, input, { ip }) =>
      (await closedTo(platform, ip)) ?? pushStk(platform, darajaOf(platform), input),
  ),
];
