import { getBankStatementList, getWebMessageList } from '@sangam/contract/endpoints/party.ts';
import { getUsdtTransfers } from '@sangam/contract/endpoints/usdt.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { listBankStatements } from './list.ts';
import { listUsdtTransfers } from './list-usdt.ts';

export const bankStatementRoutes: readonly Route[] = [
  viewerRoute(getBankStatementList, (platform, viewer, input) => listBankStatements(platform, viewer, input)),
  viewerRoute(getWebMessageList, (platform, viewer, input) =>
    listBankStatements(platform, viewer, input, 'web'),
  ),
  viewerRoute(getUsdtTransfers, listUsdtTransfers),
];
