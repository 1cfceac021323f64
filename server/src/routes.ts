import { accountsRoutes } from './accounts/routes.ts';
import { collectionRoutes } from './collection/routes.ts';
import type { Route } from './http/route.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { bankStatementRoutes } from './matching/list-routes.ts';
import { matchingRoutes } from './matching/routes.ts';
import { merchantsRoutes } from './merchants/routes.ts';
import { monitoringRoutes } from './monitoring/routes.ts';
import { merchantApiRoutes } from './orders/merchant-routes.ts';
import { ordersRoutes } from './orders/routes.ts';
import { payoutRoutes } from './payout/routes.ts';
import { PEOPLE_ROUTES } from './people/routes.ts';
import { optionsRoutes } from './products/routes.ts';
import { suppliersRoutes } from './suppliers/routes.ts';

/** Every endpoint this server answers. */
export const ROUTES: readonly Route[] = [
  ...PEOPLE_ROUTES,
  ...accountsRoutes,
  ...bankStatementRoutes,
  ...collectionRoutes,
  ...ledgerRoutes,
  ...matchingRoutes,
  ...merchantApiRoutes,
  ...merchantsRoutes,
  ...monitoringRoutes,
  ...optionsRoutes,
  ...ordersRoutes,
  ...payoutRoutes,
  ...suppliersRoutes,
];
