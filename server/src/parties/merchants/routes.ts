import {
  askForAddresses as askAddresses,
  createMerchant as create,
  getFirstOrderSteps,
  getLimits as readLimits,
  rotateSecret as rotate,
  updateLimits as changeLimits,
  updateMerchant as update,
} from '@sangam/contract/endpoints/merchant.ts';
import { setMerchantCallbacks } from '@sangam/contract/endpoints/callback.ts';
import { getMerchantList } from '@sangam/contract/endpoints/party.ts';
import { setSettlementTerm as setTerm } from '@sangam/contract/endpoints/settlement.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { askForAddresses } from './ask-addresses.ts';
import { createMerchant } from './create-merchant.ts';
import { firstOrderSteps } from './first-order-steps.ts';
import { getLimits, updateLimits } from './limits.ts';
import { listMerchants } from './list.ts';
import { rotateSecret } from './rotate-secret.ts';
import { setCallbacks } from './set-callbacks.ts';
import { setSettlementTerm } from './set-settlement-term.ts';
import { updateMerchant } from './update-merchant.ts';

export const merchantsRoutes: readonly Route[] = [
  viewerRoute(getMerchantList, listMerchants),
  viewerRoute(create, createMerchant),
  viewerRoute(update, updateMerchant),
  viewerRoute(rotate, rotateSecret),
  viewerRoute(readLimits, getLimits),
  viewerRoute(getFirstOrderSteps, firstOrderSteps),
  viewerRoute(changeLimits, updateLimits),
  viewerRoute(askAddresses, askForAddresses),
  viewerRoute(setMerchantCallbacks, setCallbacks),
  viewerRoute(setTerm, setSettlementTerm),
];
