import { deleteUser as deleteUserCall } from '@sangam/contract/endpoints/admin.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { accessReviewRoutes } from './access-review/routes.ts';
import { deleteUser } from './delete-user.ts';
import { merchantsRoutes } from './merchants/routes.ts';
import { suppliersRoutes } from './suppliers/routes.ts';
import { withdrawalRoutes } from './withdrawals/routes.ts';

export const partyRoutes: readonly Route[] = [
  ...merchantsRoutes,
  ...suppliersRoutes,
  ...accessReviewRoutes,
  ...withdrawalRoutes,
  viewerRoute(deleteUserCall, (platform, viewer, input) => deleteUser(platform, viewer, BigInt(input.id))),
];
