import type { ComponentType } from 'react';
import { ACCOUNT_AREA_NAMES } from '@sangam/contract/account-kinds.ts';
import type { Screen } from '@sangam/contract/screens.ts';
import { chunk } from '../navigation/chunk.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { placeAt } from '../navigation/place.ts';

/** A page of the console, loaded when it is first needed. */
export interface PagePart {
  /** The component, once it has loaded. */
  readonly component: () => ComponentType<PageProps> | undefined;
  /** Loads the component within the time limit of `chunk`; throws ChunkFailure where that fails. */
  readonly load: () => Promise<ComponentType<PageProps>>;
}

function page(load: () => Promise<ComponentType<PageProps>>): PagePart {
  let component: ComponentType<PageProps> | undefined;
  return {
    component: () => component,
    load: async () => (component ??= await chunk(load)),
  };
}

const SETTLEMENT = page(async () => (await import('../settlement/settlement-screen.tsx')).SettlementScreen);

const LOST_ORDERS = page(
  async () => (await import('../lost-orders/lost-orders-screen.tsx')).LostOrdersScreen,
);

const ORDER_SOURCE = page(
  async () => (await import('../order-analysis/order-source-screen.tsx')).OrderSourceScreen,
);

const IP_FREQUENCY = page(
  async () => (await import('../order-analysis/ip-frequency-screen.tsx')).IpFrequencyScreen,
);

const ABNORMAL_IPS = page(
  async () => (await import('../order-analysis/abnormal-ips-screen.tsx')).AbnormalIpsScreen,
);

const NO_LOSS = page(async () => (await import('../order-analysis/no-loss-screen.tsx')).NoLossScreen);

const STATISTICS = page(async () => (await import('../statistics/statistics-screen.tsx')).StatisticsScreen);

const WHAT_IF = page(async () => (await import('../order-analysis/what-if-screen.tsx')).WhatIfScreen);

const VERIFY = page(async () => (await import('../verify/verify-screen.tsx')).VerifyScreen);

const WHITE_LIST = page(async () => (await import('../bots/white-list-screen.tsx')).WhiteListScreen);

const ALERT_BOT = page(async () => (await import('../bots/alert-bot-screen.tsx')).AlertBotScreen);

const TRANSFER_BOT = page(async () => (await import('../bots/transfer-bot-screen.tsx')).TransferBotScreen);

/** Pages by path, where the area has several. */
const OWN_PAGES: Readonly<Record<string, PagePart>> = {
  '/home': page(async () => (await import('../home/home-screen.tsx')).HomeScreen),
  '/securityNodes/list': page(async () => (await import('../trusted-chain/chain-screen.tsx')).ChainScreen),
  '/securityNodes/security-patch-list': page(
    async () => (await import('../trusted-chain/patches-screen.tsx')).PatchesScreen,
  ),
  '/orderAnalysis/order-analysis-list': ORDER_SOURCE,
  '/orderAnalysis/order-analysis-list/customerService': ORDER_SOURCE,
  '/orderAnalysis/ip-analysis-list': IP_FREQUENCY,
  '/orderAnalysis/ip-analysis-list/customerService': IP_FREQUENCY,
  '/orderAnalysis/fronzen-ip-list': ABNORMAL_IPS,
  '/orderAnalysis/fronzen-ip-list/customerService': ABNORMAL_IPS,
  '/orderAnalysis/no-loss': NO_LOSS,
  '/orderAnalysis/what-if': WHAT_IF,
  '/orderAnalysis/no-loss/readonly': NO_LOSS,
  '/orderAnalysis/lost-order-list': LOST_ORDERS,
  '/orderAnalysis/lost-order-list/customerService': LOST_ORDERS,
  '/supplier-proxy': page(async () => (await import('../agents/agents-screen.tsx')).AgentsScreen),
  '/fundRecord/settlement': SETTLEMENT,
  '/fundRecord/settlement/merchant': SETTLEMENT,
  '/fundRecord/settlement/customerService': SETTLEMENT,
  '/fundRecord/verify': VERIFY,
  '/fundRecord/verify/readonly': VERIFY,
  '/systemManager/tgWhiteList': WHITE_LIST,
  '/systemManager/tgWhiteList/customerService': WHITE_LIST,
  '/systemManager/tgWhiteList/readonly': WHITE_LIST,
  '/systemManager/botInfo': ALERT_BOT,
  '/systemManager/botInfo/customerService': ALERT_BOT,
  '/systemManager/botInfo/readonly': ALERT_BOT,
  '/systemManager/transferBotInfo': TRANSFER_BOT,
  '/systemManager/transferBotInfo/customerService': TRANSFER_BOT,
  '/systemManager/transferBotInfo/readonly': TRANSFER_BOT,
  '/message_page': page(async () => (await import('../inbox/inbox-screen.tsx')).InboxScreen),
  '/error_logger_page': page(async () => (await import('../error-log/error-log-screen.tsx')).ErrorLogScreen),
};

const ACCOUNTS = page(async () => (await import('../accounts/accounts-screen.tsx')).AccountsScreen);

const MESSAGES = page(
  async () => (await import('../bank-messages/bank-messages-screen.tsx')).BankMessagesScreen,
);

/** The page of each area. A page gets the screen and shows that screen's variant. */
const PAGES: Readonly<Record<string, PagePart>> = {
  collectionOrders: page(
    async () => (await import('../collection-orders/collection-orders-screen.tsx')).CollectionOrdersScreen,
  ),
  payoutOrders: page(
    async () => (await import('../payout-orders/payout-orders-screen.tsx')).PayoutOrdersScreen,
  ),
  collectionStatistics: STATISTICS,
  payoutStatistics: STATISTICS,
  batchPayout: page(async () => (await import('../payout-batches/batches-screen.tsx')).BatchesScreen),
  merchants: page(async () => (await import('../merchants/merchants-screen.tsx')).MerchantsScreen),
  suppliers: page(async () => (await import('../suppliers/suppliers-screen.tsx')).SuppliersScreen),
  ...Object.fromEntries(ACCOUNT_AREA_NAMES.map((area) => [area, ACCOUNTS])),
  bankSMSRecords: MESSAGES,
  webMessageRecords: MESSAGES,
  systemWebMessageManagement: MESSAGES,
  monitorLog: page(async () => (await import('../monitors/monitor-log-screen.tsx')).MonitorLogScreen),
  systemMonitorScripts: page(async () => (await import('../monitors/monitors-screen.tsx')).MonitorsScreen),
  systemBanks: page(async () => (await import('../banks/banks-screen.tsx')).BanksScreen),
  systemMessageTemplates: page(
    async () => (await import('../message-templates/templates-screen.tsx')).TemplatesScreen,
  ),
  usdtTransactionRecords: page(
    async () => (await import('../usdt-transfers/usdt-transfers-screen.tsx')).UsdtTransfersScreen,
  ),
  toDo: page(async () => (await import('../approvals/approvals-screen.tsx')).ApprovalsScreen),
  systemAccountManagement: page(async () => (await import('../users/users-screen.tsx')).UsersScreen),
  systemAlerts: page(async () => (await import('../alerts/alerts-screen.tsx')).AlertsScreen),
  systemAudit: page(async () => (await import('../audit/audit-screen.tsx')).AuditScreen),
  systemOnlineUsers: page(
    async () => (await import('../online-users/online-users-screen.tsx')).OnlineUsersScreen,
  ),
  systemEntityDataView: page(async () => (await import('../entity-data/entity-screen.tsx')).EntityScreen),
  systemTestOrder: page(async () => (await import('../test-order/test-order-screen.tsx')).TestOrderScreen),
  systemMaintenance: page(
    async () => (await import('../maintenance/maintenance-screen.tsx')).MaintenanceScreen,
  ),
  systemOrderClearingHistory: page(async () => (await import('../archive/archive-screen.tsx')).ArchiveScreen),
  systemIPRules: page(async () => (await import('../ip-rules/ip-rules-screen.tsx')).IpRulesScreen),
  systemNameBlacklist: page(
    async () => (await import('../name-blacklist/name-blacklist-screen.tsx')).NameBlacklistScreen,
  ),
  systemGlobalConfig: page(async () => (await import('../system-config/settings-screen.tsx')).SettingsScreen),
  systemRoleMatrix: page(
    async () => (await import('../role-matrix/role-matrix-screen.tsx')).RoleMatrixScreen,
  ),
  systemAccessReview: page(
    async () => (await import('../access-review/access-review-screen.tsx')).AccessReviewScreen,
  ),
  systemDuties: page(async () => (await import('../approvals/duties-screen.tsx')).DutiesScreen),
  systemPayScripts: page(async () => (await import('../pay-scripts/scripts-screen.tsx')).ScriptsScreen),
  systemPayScriptCallRecords: page(
    async () => (await import('../pay-scripts/calls-screen.tsx')).ScriptCallsScreen,
  ),
  systemPayGateways: page(async () => (await import('../accounts/gateways-screen.tsx')).GatewaysScreen),
  systemUserProducts: page(
    async () => (await import('../user-products/user-products-screen.tsx')).UserProductsScreen,
  ),
  kycReview: page(async () => (await import('../kyc-review/kyc-review-screen.tsx')).KycReviewScreen),
  profile: page(async () => (await import('../profile/profile-screen.tsx')).ProfileScreen),
  systemOrderCallbacks: page(async () => (await import('../callbacks/callbacks-screen.tsx')).CallbacksScreen),
  systemOrderCallbackDetails: page(
    async () => (await import('../callbacks/callback-details-screen.tsx')).CallbackDetailsScreen,
  ),
  performanceAnalysis: page(
    async () => (await import('../performance/performance-screen.tsx')).PerformanceScreen,
  ),
  interfaceTest: page(
    async () => (await import('../interface-test/interface-test-screen.tsx')).InterfaceTestScreen,
  ),
  finance: page(async () => (await import('../fund-record/fund-record-screen.tsx')).FundRecordScreen),
};

export function partOf(screen: Screen): PagePart | undefined {
  return OWN_PAGES[screen.path] ?? PAGES[screen.area];
}

/** Loads the page at a path before it is drawn. The component that draws it shows a failure. */
export async function loadPageAt(path: string): Promise<void> {
  const place = placeAt(path);
  await (place && partOf(place.screen))?.load().catch(() => undefined);
}
