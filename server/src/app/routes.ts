import { withDocument } from '../api/docs.ts';
import { accountsRoutes } from '../accounts/routes.ts';
import { analysisRoutes } from '../backoffice/analysis/routes.ts';
import { alertRoutes } from '../alerts/routes.ts';
import { archiveRoutes } from '../archive/routes.ts';
import { botRoutes } from '../bots/routes.ts';
import { APPROVAL_HANDLERS } from './approval-kinds.ts';
import { approvalRoutes } from '../approvals/routes.ts';
import { callbackRoutes } from '../callbacks/routes.ts';
import { chainRoutes } from '../evidence/chain-patches/routes.ts';
import { collectionRoutes } from '../collection/routes.ts';
import { exportRoutes } from '../backoffice/exports/routes.ts';
import { entityRoutes } from '../backoffice/entity/routes.ts';
import { errorLogRoutes } from '../backoffice/error-log/routes.ts';
import { holdRoutes } from '../orders/holds/routes.ts';
import { homeRoutes } from '../backoffice/home/routes.ts';
import type { Route } from '../http/route.ts';
import { interfaceTestRoutes } from '../backoffice/interface-test/routes.ts';
import { kycRoutes } from '../terms/kyc/routes.ts';
import { ledgerRoutes } from '../ledger/routes.ts';
import { auditRoutes } from '../backoffice/audit/routes.ts';
import { bankStatementRoutes } from '../evidence/matching/list-routes.ts';
import { lostRoutes } from '../evidence/lost/routes.ts';
import { maintenanceRoutes } from '../maintenance/routes.ts';
import { matchingRoutes } from '../evidence/matching/routes.ts';
import { statementRoutes } from '../evidence/statement/routes.ts';
import { messageTemplateRoutes } from '../evidence/templates/routes.ts';
import { orderAnalysisRoutes } from '../analysis/routes.ts';
import { trafficRoutes } from '../traffic/routes.ts';
import { partyRoutes } from '../parties/routes.ts';
import { messagesRoutes } from '../inbox/routes.ts';
import { monitoringRoutes } from '../evidence/monitors/routes.ts';
import { merchantApiRoutes } from '../orders/merchant-routes.ts';
import { recordOutcome } from '../orders/callback-outcome.ts';
import { ordersRoutes } from '../orders/routes.ts';
import { payoutBatchRoutes } from '../payout/batch/routes.ts';
import { payoutUploadRoutes } from '../payout/upload/routes.ts';
import { payoutRoutes } from '../payout/routes.ts';
import { userAdminRoutes } from '../access/admin-routes.ts';
import { ipRuleRoutes } from '../access/ip-rules/routes.ts';
import { PEOPLE_ROUTES } from '../access/routes.ts';
import { productsRoutes } from '../terms/products/routes.ts';
import { railRoutes } from '../inbound/routes.ts';
import { pushRoutes } from '../push/routes.ts';
import { payScriptRoutes } from '../channels/scripts/routes.ts';
import { screeningRoutes } from '../screening/routes.ts';
import { searchRoutes } from '../backoffice/search/routes.ts';
import { settlementRoutes } from '../treasury/settlement/routes.ts';
import { statisticsRoutes } from '../statistics/routes.ts';
import { settingsRoutes } from '../backoffice/settings/routes.ts';
import { testOrderRoutes } from '../test-order/routes.ts';
import { treasuryRoutes } from '../treasury/routes.ts';
import { verifyRoutes } from '../verify/routes.ts';
import { viewsRoutes } from '../backoffice/views/routes.ts';

const OWN_ROUTES: readonly Route[] = [
  ...PEOPLE_ROUTES,
  ...accountsRoutes,
  ...alertRoutes,
  ...archiveRoutes,
  ...analysisRoutes,
  ...approvalRoutes(APPROVAL_HANDLERS),
  ...auditRoutes,
  ...bankStatementRoutes,
  ...botRoutes,
  ...callbackRoutes(recordOutcome),
  ...chainRoutes,
  ...collectionRoutes,
  ...entityRoutes,
  ...errorLogRoutes,
  ...holdRoutes,
  ...homeRoutes,
  ...interfaceTestRoutes,
  ...kycRoutes,
  ...ledgerRoutes,
  ...lostRoutes,
  ...maintenanceRoutes,
  ...matchingRoutes,
  ...merchantApiRoutes,
  ...messagesRoutes,
  ...messageTemplateRoutes,
  ...monitoringRoutes,
  ...productsRoutes,
  ...railRoutes,
  ...payScriptRoutes,
  ...pushRoutes,
  ...screeningRoutes,
  ...searchRoutes,
  ...settingsRoutes,
  ...statisticsRoutes,
  ...settlementRoutes,
  ...ordersRoutes,
  ...orderAnalysisRoutes,
  ...payoutRoutes,
  ...payoutBatchRoutes,
  ...payoutUploadRoutes,
  ...statementRoutes,
  ...partyRoutes,
  ...trafficRoutes,
  ...testOrderRoutes,
  ...treasuryRoutes,
  ...verifyRoutes,
  ...userAdminRoutes,
  ...ipRuleRoutes,
  ...viewsRoutes,
];

/** Every endpoint that this server answers. */
export const ROUTES: readonly Route[] = withDocument([...OWN_ROUTES, ...exportRoutes(OWN_ROUTES)]);
