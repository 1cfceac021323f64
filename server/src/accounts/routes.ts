import * as account from '@sangam/contract/endpoints/account.ts';
import * as party from '@sangam/contract/endpoints/party.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { getAccount } from './account.ts';
import { createAccount } from './create-account.ts';
import { countResources, getResource } from './detail.ts';
import { enableResource } from './enable-resource.ts';
import { listResources } from './list.ts';
import { removeQrCode, uploadQrCode } from './qr-code.ts';
import { revealAccount } from './reveal.ts';
import { setGatewayCredentials } from './set-credentials.ts';
import { updateAccount } from './update-account.ts';

export const accountsRoutes: readonly Route[] = [
  viewerRoute(party.getResourceList, listResources),
  viewerRoute(party.getResourceDetailInfo, getResource),
  viewerRoute(party.getResourceStaticInfo, countResources),
  viewerRoute(party.enableResource, enableResource),
  viewerRoute(account.createAccount, createAccount),
  viewerRoute(account.updateAccount, updateAccount),
  viewerRoute(account.getAccount, getAccount),
  viewerRoute(account.uploadQrCode, uploadQrCode),
  viewerRoute(account.removeQrCode, removeQrCode),
  viewerRoute(account.revealAccount, revealAccount),
  viewerRoute(account.setGatewayCredentials, setGatewayCredentials),
];
