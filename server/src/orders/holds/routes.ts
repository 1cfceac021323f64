import * as merchant from '@sangam/contract/endpoints/merchant.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { setFrozen, setLegalHold } from './set-hold.ts';

export const holdRoutes: readonly Route[] = [
  viewerRoute(merchant.setFrozen, setFrozen),
  viewerRoute(merchant.setLegalHold, setLegalHold),
];
