import { accountsRoutes } from './accounts/routes.ts';
import { analysisRoutes } from './analysis/routes.ts';
import { APPROVAL_HANDLERS } from './approval-kinds.ts';
import { approvalRoutes } from './approvals/routes.ts';
import { callbackRoutes } from './callbacks/routes.ts';
import { chainRoutes } from './chain-patches/routes.ts';
import { collectionRoutes } from './collection/routes.ts';
import { exportRoutes } from './exports/routes.ts';
import { errorLogRoutes } from './error-log/routes.ts';
import { holdRoutes } from './holds/routes.ts';
import { homeRoutes } from './home/routes.ts';
import type { Route } from './http/route.ts';
import { interfaceTestRoutes } from './interface-test/routes.ts';
import { kycRoutes } from './kyc/routes.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { bankStatementRoutes } from './matching/list-routes.ts';
import { lostRoutes } from './matching/lost/routes.ts';
import { matchingRoutes } from './matching/routes.ts';
import { statementRoutes } from './matching/statement/routes.ts';
import { messageTemplateRoutes } from './matching/templates/routes.ts';
import { merchantLimitRoutes } from './merchant-limits/routes.ts';
import { merchantsRoutes } from './merchants/routes.ts';
import { messagesRoutes } from './messages/routes.ts';
import { monitoringRoutes } from './monitoring/routes.ts';
import { merchantApiRoutes } from './orders/merchant-routes.ts';
import { recordOutcome } from './orders/callback-outcome.ts';
import { ordersRoutes } from './orders/routes.ts';
import { payoutBatchRoutes } from './payout-batch/routes.ts';
import { payoutUploadRoutes } from './payout-upload/routes.ts';
import { payoutRoutes } from './payout/routes.ts';
import { userAdminRoutes } from './people/admin-routes.ts';
import { PEOPLE_ROUTES } from './people/routes.ts';
import { productsRoutes } from './products/routes.ts';
import { railRoutes } from './rails/routes.ts';
import { payScriptRoutes } from './scripts/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { settlementRoutes } from './settlement/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { suppliersRoutes } from './suppliers/routes.ts';
import { treasuryRoutes } from './treasury/routes.ts';
import { verifyRoutes } from './verify/routes.ts';
import { viewsRoutes } from './views/routes.ts';

const OWN_ROUTES: readonly Route[] = [
  ...PEOPLE_ROUTES,
  ...accountsRoutes,
  ...analysisRoutes,
  ...approvalRoutes(APPROVAL_HANDLERS),
  ...bankStatementRoutes,
  ...callbackRoutes(recordOutcome),
  ...chainRoutes,
  ...collectionRoutes,
  ...errorLogRoutes,
  ...holdRoutes,
  ...homeRoutes,
  ...interfaceTestRoutes,
  ...kycRoutes,
  ...ledgerRoutes,
  ...lostRoutes,
  ...matchingRoutes,
  ...merchantApiRoutes,
  ...merchantLimitRoutes,
  ...merchantsRoutes,
  ...messagesRoutes,
  ...messageTemplateRoutes,
  ...monitoringRoutes,
  ...productsRoutes,
  ...railRoutes,
  ...payScriptRoutes,
  ...searchRoutes,
  ...settingsRoutes,
  ...settlementRoutes,
  ...ordersRoutes,
  ...payoutRoutes,
  ...payoutBatchRoutes,
  ...payoutUploadRoutes,
  ...statementRoutes,
  ...suppliersRoutes,
  ...treasuryRoutes,
  ...verifyRoutes,
  ...userAdminRoutes,
  ...viewsRoutes,
];

/** Every endpoint this server answers. */
export const ROUTES: readonly Route[] = [...OWN_ROUTES, ...exportRoutes(OWN_ROUTES)];
