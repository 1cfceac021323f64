import type { Endpoint } from '../endpoint.ts';
import * as account from './account.ts';
import * as admin from './admin.ts';
import * as bankStatement from './bank-statement.ts';
import * as callback from './callback.ts';
import * as chain from './chain.ts';
import * as errorLog from './error-log.ts';
import * as fund from './fund.ts';
import * as gateway from './gateway.ts';
import * as home from './home.ts';
import * as interfaceTest from './interface-test.ts';
import * as kyc from './kyc.ts';
import * as list from './list.ts';
import * as lost from './lost.ts';
import * as merchant from './merchant.ts';
import * as message from './message.ts';
import * as messageTemplate from './message-template.ts';
import * as monitor from './monitor.ts';
import * as mpesa from './mpesa.ts';
import * as order from './order.ts';
import * as outside from './outside.ts';
import * as party from './party.ts';
import * as payout from './payout.ts';
import * as payScript from './pay-script.ts';
import * as payoutBatch from './payout-batch.ts';
import * as payoutTemplate from './payout-template.ts';
import * as product from './product.ts';
import * as search from './search.ts';
import { SETTING_ENDPOINTS } from './settings.ts';
import * as profile from './profile.ts';
import * as settlement from './settlement.ts';
import * as terms from './terms.ts';
import * as todo from './todo.ts';
import * as usdt from './usdt.ts';
import * as user from './user.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value;

const AREAS = [
  user,
  admin,
  bankStatement,
  callback,
  chain,
  order,
  mpesa,
  payout,
  payScript,
  payoutBatch,
  payoutTemplate,
  product,
  party,
  merchant,
  terms,
  home,
  interfaceTest,
  kyc,
  list,
  lost,
  account,
  fund,
  gateway,
  profile,
  settlement,
  todo,
  outside,
  message,
  messageTemplate,
  monitor,
  errorLog,
  search,
  usdt,
];

/** Every endpoint of the product: server registration, OpenAPI and the role test walk this list. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...AREAS.flatMap((area) => Object.values<unknown>(area).filter(isEndpoint)),
  ...SETTING_ENDPOINTS.flatMap(({ read, write }) => [read, write]),
];
