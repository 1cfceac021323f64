import {
  createMerchant as create,
  rotateSecret as rotate,
  updateMerchant as update,
} from '@sangam/contract/endpoints/merchant.ts';
import { getMerchantList } from '@sangam/contract/endpoints/party.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { createMerchant } from './create-merchant.ts';
import { listMerchants } from './list.ts';
import { rotateSecret } from './rotate-secret.ts';
import { updateMerchant } from './update-merchant.ts';

export const merchantsRoutes: readonly Route[] = [
  viewerRoute(getMerchantList, listMerchants),
  viewerRoute(create, createMerchant),
  viewerRoute(update, updateMerchant),
  viewerRoute(rotate, rotateSecret),
];
