import { ROLES, type Role } from './roles.ts';

export type Variant = 'main' | 'customerService' | 'own' | 'team' | 'readonly';

export interface Screen {
  readonly path: string;
  /** Screens of one area are one definition with variants; its title key is `areas.<area>`. */
  readonly area: string;
  readonly variant: Variant;
  /** 'public' needs no token, 'any' any signed-in user. */
  readonly roles: readonly Role[] | 'any' | 'public';
  readonly readOnlyFor?: readonly Role[];
  /** The menu shows only what works. */
  readonly built: boolean;
}

/** The one list of routes, their roles and variants: menu, guard, tabs, breadcrumbs and role tests read it. */
export const SCREENS: readonly Screen[] = [
  { path: '/login', area: 'public', variant: 'main', roles: 'public', built: true },
  { path: '/googleVerify', area: 'public', variant: 'main', roles: 'public', built: true },
  { path: '/home', area: 'shell', variant: 'main', roles: 'any', built: true },
  { path: '/message_page', area: 'shell', variant: 'main', roles: 'any', built: false },
  { path: '/error_logger_page', area: 'shell', variant: 'main', roles: 'any', built: false },
  { path: '/error_401', area: 'shell', variant: 'main', roles: 'any', built: true },
  { path: '/merchants/list', area: 'merchants', variant: 'main', roles: ['superAdmin', 'admin'], built: true },
  { path: '/merchants/list/customerService', area: 'merchants', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: true },
  { path: '/supplier/list', area: 'suppliers', variant: 'main', roles: ['superAdmin', 'admin', 'technicalSupport'], readOnlyFor: ['technicalSupport'], built: true },
  { path: '/supplier/list/customerService', area: 'suppliers', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: true },
  { path: '/supplier-proxy', area: 'suppliers', variant: 'own', roles: ['supplier'], built: false },
  { path: '/internationalCardToCard/list', area: 'receivingAccounts', variant: 'own', roles: ['supplier'], built: true },
  { path: '/internationalCardToCard/list-admin', area: 'receivingAccounts', variant: 'main', roles: ['superAdmin', 'admin'], built: true },
  { path: '/internationalCardToCard/list-admin/customerService', area: 'receivingAccounts', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: true },
  { path: '/indiaAutoPayout/list', area: 'payoutAccounts', variant: 'own', roles: ['supplier'], built: false },
  { path: '/indiaAutoPayout/list-admin', area: 'payoutAccounts', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/indiaAutoPayout/list-admin/customerService', area: 'payoutAccounts', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/razorpayPayProxy/list', area: 'gatewayPayoutChannels', variant: 'own', roles: ['supplier'], built: false },
  { path: '/razorpayPayProxy/list-admin', area: 'gatewayPayoutChannels', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/razorpayPayProxy/list-admin/customerService', area: 'gatewayPayoutChannels', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/uSDTFloating/list', area: 'usdtAutoCollection', variant: 'own', roles: ['supplier'], built: false },
  { path: '/uSDTFloating/list-admin', area: 'usdtAutoCollection', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/uSDTFloating/list-admin/customerService', area: 'usdtAutoCollection', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/uSDTPayProxy/list', area: 'usdtAutoPayout', variant: 'own', roles: ['supplier'], built: false },
  { path: '/uSDTPayProxy/list-admin', area: 'usdtAutoPayout', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/uSDTPayProxy/list-admin/customerService', area: 'usdtAutoPayout', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/kenya/list-admin', area: 'kenyaCollectionAccount', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/kenya/list-admin/customerService', area: 'kenyaCollectionAccount', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/order/list', area: 'collectionOrders', variant: 'main', roles: ['superAdmin', 'admin'], built: true },
  { path: '/order/list/customerService', area: 'collectionOrders', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: true },
  { path: '/order/list/supplier', area: 'collectionOrders', variant: 'own', roles: ['supplier'], built: true },
  { path: '/order/list/supplierProxy', area: 'collectionOrders', variant: 'team', roles: ['supplier'], built: true },
  { path: '/order/list/merchant', area: 'collectionOrders', variant: 'own', roles: ['merchant'], built: true },
  { path: '/order/profile', area: 'performanceAnalysis', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/bankStatement/list', area: 'bankSMSRecords', variant: 'main', roles: ['admin', 'supplier'], built: true },
  { path: '/bankStatement/list-sa', area: 'bankSMSRecords', variant: 'main', roles: ['superAdmin'], built: true },
  { path: '/bankStatement/webMessageRecord-admin', area: 'webMessageRecords', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/bankStatement/webMessageRecord-admin/customerService', area: 'webMessageRecords', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/bankStatement/usdtTransactionRecord-admin', area: 'usdtTransactionRecords', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/bankStatement/usdtTransactionRecord-admin/customerService', area: 'usdtTransactionRecords', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/securityNodes/security-patch-list', area: 'trustedChain', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/securityNodes/list', area: 'trustedChain', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/orderAnalysis/order-analysis-list', area: 'orderAnalysis', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/orderAnalysis/order-analysis-list/customerService', area: 'orderAnalysis', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/orderAnalysis/ip-analysis-list', area: 'orderAnalysis', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/orderAnalysis/ip-analysis-list/customerService', area: 'orderAnalysis', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/orderAnalysis/fronzen-ip-list', area: 'orderAnalysis', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/orderAnalysis/fronzen-ip-list/customerService', area: 'orderAnalysis', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/orderAnalysis/lost-order-list', area: 'orderAnalysis', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/orderAnalysis/lost-order-list/customerService', area: 'orderAnalysis', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/payProxyOrder/list', area: 'payoutOrders', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/payProxyOrder/list/customerService', area: 'payoutOrders', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/payProxyOrder/list/supplier', area: 'payoutOrders', variant: 'own', roles: ['supplier'], built: false },
  { path: '/payProxyOrder/list/supplierProxy', area: 'payoutOrders', variant: 'team', roles: ['supplier'], built: false },
  { path: '/payProxyOrder/list/merchant', area: 'payoutOrders', variant: 'own', roles: ['merchant'], built: false },
  { path: '/payoutBatch/list', area: 'batchPayout', variant: 'main', roles: ['superAdmin', 'admin', 'supplier'], built: false },
  { path: '/payoutBatch/customerService', area: 'batchPayout', variant: 'customerService', roles: ['customerService'], built: false },
  { path: '/order/statistics', area: 'collectionStatistics', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/order/statistics/customerService', area: 'collectionStatistics', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/order/statisticsByMerhcant/customerService', area: 'collectionStatistics', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/order/statisticsByMerhcantV2', area: 'collectionStatistics', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/order/statistics/supplierV2', area: 'collectionStatistics', variant: 'own', roles: ['supplier'], built: false },
  { path: '/order/statistics/merchant', area: 'collectionStatistics', variant: 'own', roles: ['merchant'], built: false },
  { path: '/payProxyOrder/statistics', area: 'payoutStatistics', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/payProxyOrder/statistics/customerService', area: 'payoutStatistics', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/payProxyOrder/statisticsByMerchant', area: 'payoutStatistics', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/payProxyOrder/statisticsByMerchant/customerService', area: 'payoutStatistics', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/payProxyOrder/statistics/supplier', area: 'payoutStatistics', variant: 'own', roles: ['supplier'], built: false },
  { path: '/payProxyOrder/statistics/merchant', area: 'payoutStatistics', variant: 'own', roles: ['merchant'], built: false },
  { path: '/fundRecord/fundRecord', area: 'finance', variant: 'own', roles: ['merchant', 'supplier'], built: true },
  { path: '/fundRecord/fundRecordAdmin', area: 'finance', variant: 'main', roles: ['superAdmin', 'admin'], built: true },
  { path: '/fundRecord/fundRecordAdmin/customerService', area: 'finance', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: true },
  { path: '/monitorLog/monitorLog', area: 'monitorLog', variant: 'main', roles: ['superAdmin', 'admin'], built: false },
  { path: '/monitorLog/monitorLog/customerService', area: 'monitorLog', variant: 'customerService', roles: ['customerService', 'technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/order/test/merchant', area: 'interfaceTest', variant: 'own', roles: ['merchant'], built: false },
  { path: '/profile/list', area: 'profile', variant: 'own', roles: ['admin', 'supplier', 'merchant', 'superAdmin'], built: false },
  { path: '/profile/list/customerService', area: 'profile', variant: 'own', roles: ['customerService'], built: false },
  { path: '/todo/mine', area: 'toDo', variant: 'main', roles: ['superAdmin', 'admin', 'customerService', 'technicalMaintenance', 'technicalSupport', 'supplier'], built: false },
  { path: '/todo/started', area: 'toDo', variant: 'main', roles: ['superAdmin', 'admin', 'customerService', 'technicalMaintenance', 'technicalSupport', 'supplier'], built: false },
  { path: '/dynamicPay/scripts', area: 'systemPayScripts', variant: 'main', roles: ['superAdmin', 'technicalSupport'], built: false },
  { path: '/dynamicPay/scripts/readonly', area: 'systemPayScripts', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/dynamicPay/records', area: 'systemPayScriptCallRecords', variant: 'main', roles: ['superAdmin', 'technicalSupport'], built: false },
  { path: '/dynamicPay/records/readonly', area: 'systemPayScriptCallRecords', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/systemManager/tgWhiteList', area: 'systemBots', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/systemManager/tgWhiteList/customerService', area: 'systemBots', variant: 'customerService', roles: ['customerService'], built: false },
  { path: '/systemManager/tgWhiteList/readonly', area: 'systemBots', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/systemManager/botInfo', area: 'systemBots', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/systemManager/botInfo/customerService', area: 'systemBots', variant: 'customerService', roles: ['customerService'], built: false },
  { path: '/systemManager/botInfo/readonly', area: 'systemBots', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/systemManager/transferBotInfo', area: 'systemBots', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/systemManager/transferBotInfo/customerService', area: 'systemBots', variant: 'customerService', roles: ['customerService'], built: false },
  { path: '/systemManager/transferBotInfo/readonly', area: 'systemBots', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/setting/monitorScriptInfo', area: 'systemMonitorScripts', variant: 'main', roles: ['superAdmin', 'technicalSupport'], built: false },
  { path: '/setting/monitorScriptInfo/readonly', area: 'systemMonitorScripts', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/setting/banks', area: 'systemBanks', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/setting/banks/readonly', area: 'systemBanks', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/setting/users', area: 'systemAccountManagement', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/setting/users/readonly', area: 'systemAccountManagement', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/systemConfig', area: 'systemGlobalConfig', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/systemConfig/readonly', area: 'systemGlobalConfig', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/entity-data-view', area: 'systemEntityDataView', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/entity-data-view/readonly', area: 'systemEntityDataView', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/systemConfig-admin', area: 'systemMaintenance', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/userProduct', area: 'systemUserProducts', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/userProduct/readonly', area: 'systemUserProducts', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/order/testAdminOrder', area: 'systemTestOrder', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/auditRecord/auditRecord', area: 'systemAudit', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/auditRecord/auditRecord/readonly', area: 'systemAudit', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/setting/logged-user-list', area: 'systemOnlineUsers', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/setting/logged-user-list/readonly', area: 'systemOnlineUsers', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/systemManager/ipRule', area: 'systemIPRules', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/systemManager/ipRule/readonly', area: 'systemIPRules', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/systemManager/nameBlackList', area: 'systemNameBlacklist', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/orderCallback', area: 'systemOrderCallbacks', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/orderCallback/readonly', area: 'systemOrderCallbacks', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/orderCallbackDetail', area: 'systemOrderCallbackDetails', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/orderCallbackDetail/readonly', area: 'systemOrderCallbackDetails', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/payGatewayConfig', area: 'systemPayGateways', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/payGatewayConfig/readonly', area: 'systemPayGateways', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
  { path: '/messageTemplate', area: 'systemMessageTemplates', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/orderClearHistory', area: 'systemOrderClearingHistory', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/webMessage/management', area: 'systemWebMessageManagement', variant: 'main', roles: ['superAdmin'], built: false },
  { path: '/webMessage/management/readonly', area: 'systemWebMessageManagement', variant: 'readonly', roles: ['technicalMaintenance'], readOnlyFor: ['technicalMaintenance'], built: false },
];

const byPath = new Map(SCREENS.map((screen) => [screen.path, screen]));

export function screenAt(path: string): Screen | undefined {
  return byPath.get(path);
}

/** Whether a signed-in user of `role` may open `screen`. */
export function mayOpen(role: Role, screen: Screen): boolean {
  return screen.roles === 'public' || screen.roles === 'any' || screen.roles.includes(role);
}

export function isReadOnly(role: Role, screen: Screen): boolean {
  return screen.readOnlyFor?.includes(role) ?? false;
}

/** Every role that may open the screen. */
export function rolesOf(screen: Screen): readonly Role[] {
  return screen.roles === 'public' || screen.roles === 'any' ? ROLES : screen.roles;
}
