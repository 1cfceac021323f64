import { getBankStatementList, getWebMessageList } from '@sangam/contract/endpoints/party.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { listBankStatements } from './list.ts';

export const bankStatementRoutes: readonly Route[] = [
  viewerRoute(getBankStatementList, (platform, viewer, input) => listBankStatements(platform, viewer, input)),
  viewerRoute(getWebMessageList, (platform, viewer, input) =>
    listBankStatements(platform, viewer, input, 'web'),
  ),
];
