import * as calls from '@sangam/contract/endpoints/withdrawal.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { askForBeneficiary } from './ask.ts';
import { listBeneficiaries, listWithdrawals } from './list.ts';
import { removeBeneficiary } from './remove.ts';
import { quoteWithdrawal, withdraw } from './withdraw.ts';

export const withdrawalRoutes: readonly Route[] = [
  viewerRoute(calls.getBeneficiaries, listBeneficiaries),
  viewerRoute(calls.askForBeneficiary, askForBeneficiary),
  viewerRoute(calls.removeBeneficiary, removeBeneficiary),
  viewerRoute(calls.getQuote, quoteWithdrawal),
  viewerRoute(calls.withdraw, withdraw),
  viewerRoute(calls.getWithdrawals, listWithdrawals),
];
