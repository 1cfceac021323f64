import { accountsRoutes } from './accounts/routes.ts';
import type { Route } from './http/route.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { bankStatementRoutes } from './matching/list-routes.ts';
import { merchantsRoutes } from './merchants/routes.ts';
import { monitoringRoutes } from './monitoring/routes.ts';
import { PEOPLE_ROUTES } from './people/routes.ts';
import { optionsRoutes } from './products/routes.ts';
import { suppliersRoutes } from './suppliers/routes.ts';

/** Every endpoint this server answers. */
export const ROUTES: readonly Route[] = [
  ...PEOPLE_ROUTES,
  ...accountsRoutes,
  ...bankStatementRoutes,
  ...ledgerRoutes,
  ...merchantsRoutes,
  ...monitoringRoutes,
  ...optionsRoutes,
  ...suppliersRoutes,
];
