import * as fund from '@sangam/contract/endpoints/fund.ts';
import { getFees, getInvoices } from '@sangam/contract/endpoints/invoice.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { adjustBalance } from './balance-adjustment.ts';
import { clearBalance } from './clear-balance.ts';
import { readFees } from './invoices/fees.ts';
import { listInvoices } from './invoices/list.ts';
import { setCreditLimit } from './credit-limit.ts';
import { topUp } from './top-up.ts';
import { withdrawFunds } from './withdrawal.ts';

export const treasuryRoutes: readonly Route[] = [
  viewerRoute(fund.adjustBalance, adjustBalance),
  viewerRoute(fund.topUp, topUp),
  viewerRoute(fund.withdrawFunds, withdrawFunds),
  viewerRoute(fund.clearBalance, clearBalance),
  viewerRoute(fund.setCreditLimit, setCreditLimit),
  viewerRoute(getInvoices, listInvoices),
  viewerRoute(getFees, readFees),
];
