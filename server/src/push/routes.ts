import * as contract from '@sangam/contract/endpoints/push.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { pushKeys } from './keys.ts';
import { subscribe, unsubscribe } from './subscribe.ts';

export const pushRoutes: readonly Route[] = [
  viewerRoute(contract.getPushKey, async (platform) => ({ publicKey: (await pushKeys(platform)).publicKey })),
  viewerRoute(contract.savePushSubscription, subscribe),
  viewerRoute(contract.removePushSubscription, (platform, viewer, { endpoint }) =>
    unsubscribe(platform, viewer, endpoint),
  ),
];
