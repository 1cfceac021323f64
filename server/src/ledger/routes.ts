import { explain, getStatement } from '@sangam/contract/endpoints/fund.ts';
import { getFundRecordList } from '@sangam/contract/endpoints/party.ts';
import { getTotalBalance as totalBalance } from '@sangam/contract/endpoints/user.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { getTotalBalance } from './balances.ts';
import { explainBalance } from './explain.ts';
import { listFundRecords } from './list.ts';
import { readStatement } from './statement.ts';

export const ledgerRoutes: readonly Route[] = [
  viewerRoute(getFundRecordList, listFundRecords),
  viewerRoute(totalBalance, getTotalBalance),
  viewerRoute(getStatement, readStatement),
  viewerRoute(explain, explainBalance),
];
