import { ADMINS, ROLES, STAFF, type Role } from './roles.ts';

export type Variant = 'main' | 'customerService' | 'own' | 'team' | 'readonly';

export interface Screen {
  readonly path: string;
  /** The screens of one area are variants of one definition; its title key is `areas.<area>`. */
  readonly area: string;
  readonly variant: Variant;
  /** 'public' needs no sign-in; 'any' allows any signed-in user. */
  readonly roles: readonly Role[] | 'any' | 'public';
  readonly readOnlyFor: readonly Role[];
}

function screen(
  path: string,
  area: string,
  variant: Variant,
  roles: Screen['roles'],
  readOnlyFor: readonly Role[] = [],
): Screen {
  return { path, area, variant, roles, readOnlyFor };
}

const main = (path: string, area: string) => screen(path, area, 'main', ADMINS);
const top = (path: string, area: string) => screen(path, area, 'main', ['superAdmin']);
const desk = (path: string, area: string) =>
  screen(
    path,
    area,
    'customerService',
    ['customerService', 'technicalMaintenance'],
    ['technicalMaintenance'],
  );
const readonly = (path: string, area: string) =>
  screen(path, area, 'readonly', ['technicalMaintenance'], ['technicalMaintenance']);

/** The one list of console addresses, their roles and variants: menu, guard, tabs, breadcrumbs and role tests use it. */
export const SCREENS: readonly Screen[] = [
  screen('/login', 'public', 'main', 'public'),
  screen('/googleVerify', 'public', 'main', 'public'),
  screen('/setPasswords', 'public', 'main', 'public'),
  screen('/home', 'shell', 'main', 'any'),
  screen('/message_page', 'shell', 'main', 'any'),
  screen('/error_logger_page', 'shell', 'main', 'any'),
  screen('/error_401', 'shell', 'main', 'any'),
  main('/merchants/list', 'merchants'),
  desk('/merchants/list/customerService', 'merchants'),
  screen(
    '/supplier/list',
    'suppliers',
    'main',
    ['superAdmin', 'admin', 'technicalSupport'],
    ['technicalSupport'],
  ),
  desk('/supplier/list/customerService', 'suppliers'),
  screen('/supplier-proxy', 'suppliers', 'own', ['supplier']),
  main('/kyc/list', 'kycReview'),
  desk('/kyc/list/customerService', 'kycReview'),
  screen('/internationalCardToCard/list', 'receivingAccounts', 'own', ['supplier']),
  main('/internationalCardToCard/list-admin', 'receivingAccounts'),
  desk('/internationalCardToCard/list-admin/customerService', 'receivingAccounts'),
  screen('/indiaAutoPayout/list', 'payoutAccounts', 'own', ['supplier']),
  main('/indiaAutoPayout/list-admin', 'payoutAccounts'),
  desk('/indiaAutoPayout/list-admin/customerService', 'payoutAccounts'),
  screen('/razorpayPayProxy/list', 'gatewayPayoutChannels', 'own', ['supplier']),
  main('/razorpayPayProxy/list-admin', 'gatewayPayoutChannels'),
  desk('/razorpayPayProxy/list-admin/customerService', 'gatewayPayoutChannels'),
  screen('/uSDTFloating/list', 'usdtAutoCollection', 'own', ['supplier']),
  main('/uSDTFloating/list-admin', 'usdtAutoCollection'),
  desk('/uSDTFloating/list-admin/customerService', 'usdtAutoCollection'),
  screen('/uSDTPayProxy/list', 'usdtAutoPayout', 'own', ['supplier']),
  main('/uSDTPayProxy/list-admin', 'usdtAutoPayout'),
  desk('/uSDTPayProxy/list-admin/customerService', 'usdtAutoPayout'),
  main('/kenya/list-admin', 'kenyaCollectionAccount'),
  desk('/kenya/list-admin/customerService', 'kenyaCollectionAccount'),
  main('/order/list', 'collectionOrders'),
  desk('/order/list/customerService', 'collectionOrders'),
  screen('/order/list/supplier', 'collectionOrders', 'own', ['supplier']),
  screen('/order/list/supplierProxy', 'collectionOrders', 'team', ['supplier']),
  screen('/order/list/merchant', 'collectionOrders', 'own', ['merchant']),
  top('/order/profile', 'performanceAnalysis'),
  screen('/bankStatement/list', 'bankSMSRecords', 'main', ['admin', 'supplier']),
  top('/bankStatement/list-sa', 'bankSMSRecords'),
  main('/bankStatement/webMessageRecord-admin', 'webMessageRecords'),
  desk('/bankStatement/webMessageRecord-admin/customerService', 'webMessageRecords'),
  main('/bankStatement/usdtTransactionRecord-admin', 'usdtTransactionRecords'),
  desk('/bankStatement/usdtTransactionRecord-admin/customerService', 'usdtTransactionRecords'),
  top('/securityNodes/security-patch-list', 'trustedChain'),
  top('/securityNodes/list', 'trustedChain'),
  main('/orderAnalysis/order-analysis-list', 'orderAnalysis'),
  desk('/orderAnalysis/order-analysis-list/customerService', 'orderAnalysis'),
  main('/orderAnalysis/ip-analysis-list', 'orderAnalysis'),
  desk('/orderAnalysis/ip-analysis-list/customerService', 'orderAnalysis'),
  main('/orderAnalysis/fronzen-ip-list', 'orderAnalysis'),
  desk('/orderAnalysis/fronzen-ip-list/customerService', 'orderAnalysis'),
  main('/orderAnalysis/lost-order-list', 'orderAnalysis'),
  desk('/orderAnalysis/lost-order-list/customerService', 'orderAnalysis'),
  main('/orderAnalysis/no-loss', 'orderAnalysis'),
  main('/orderAnalysis/what-if', 'orderAnalysis'),
  readonly('/orderAnalysis/no-loss/readonly', 'orderAnalysis'),
  main('/payProxyOrder/list', 'payoutOrders'),
  desk('/payProxyOrder/list/customerService', 'payoutOrders'),
  screen('/payProxyOrder/list/supplier', 'payoutOrders', 'own', ['supplier']),
  screen('/payProxyOrder/list/supplierProxy', 'payoutOrders', 'team', ['supplier']),
  screen('/payProxyOrder/list/merchant', 'payoutOrders', 'own', ['merchant']),
  screen('/payoutBatch/list', 'batchPayout', 'main', ['superAdmin', 'admin', 'supplier']),
  screen('/payoutBatch/customerService', 'batchPayout', 'customerService', ['customerService']),
  main('/order/statistics', 'collectionStatistics'),
  desk('/order/statistics/customerService', 'collectionStatistics'),
  desk('/order/statisticsByMerhcant/customerService', 'collectionStatistics'),
  main('/order/statisticsByMerhcantV2', 'collectionStatistics'),
  screen('/order/statistics/supplierV2', 'collectionStatistics', 'own', ['supplier']),
  screen('/order/statistics/merchant', 'collectionStatistics', 'own', ['merchant']),
  main('/payProxyOrder/statistics', 'payoutStatistics'),
  desk('/payProxyOrder/statistics/customerService', 'payoutStatistics'),
  main('/payProxyOrder/statisticsByMerchant', 'payoutStatistics'),
  desk('/payProxyOrder/statisticsByMerchant/customerService', 'payoutStatistics'),
  screen('/payProxyOrder/statistics/supplier', 'payoutStatistics', 'own', ['supplier']),
  screen('/payProxyOrder/statistics/merchant', 'payoutStatistics', 'own', ['merchant']),
  screen('/fundRecord/fundRecord', 'finance', 'own', ['merchant', 'supplier']),
  main('/fundRecord/fundRecordAdmin', 'finance'),
  desk('/fundRecord/fundRecordAdmin/customerService', 'finance'),
  screen('/fundRecord/settlement/merchant', 'finance', 'own', ['merchant']),
  main('/fundRecord/settlement', 'finance'),
  desk('/fundRecord/settlement/customerService', 'finance'),
  main('/fundRecord/verify', 'finance'),
  readonly('/fundRecord/verify/readonly', 'finance'),
  main('/monitorLog/monitorLog', 'monitorLog'),
  desk('/monitorLog/monitorLog/customerService', 'monitorLog'),
  screen('/order/test/merchant', 'interfaceTest', 'own', ['merchant']),
  // The specification gives technical support and maintenance none, but they have passwords, a second factor and sessions too.
  screen('/profile/list', 'profile', 'own', [
    'admin',
    'supplier',
    'merchant',
    'superAdmin',
    'technicalSupport',
    'technicalMaintenance',
  ]),
  screen('/profile/list/customerService', 'profile', 'own', ['customerService']),
  screen('/todo/mine', 'toDo', 'main', [...STAFF, 'supplier']),
  screen('/todo/started', 'toDo', 'main', [...STAFF, 'supplier', 'merchant']),
  screen('/dynamicPay/scripts', 'systemPayScripts', 'main', ['superAdmin', 'technicalSupport']),
  readonly('/dynamicPay/scripts/readonly', 'systemPayScripts'),
  screen('/dynamicPay/records', 'systemPayScriptCallRecords', 'main', ['superAdmin', 'technicalSupport']),
  readonly('/dynamicPay/records/readonly', 'systemPayScriptCallRecords'),
  screen('/systemManager/alerts', 'systemAlerts', 'main', STAFF, ['technicalMaintenance']),
  top('/systemManager/tgWhiteList', 'systemBots'),
  screen('/systemManager/tgWhiteList/customerService', 'systemBots', 'customerService', ['customerService']),
  readonly('/systemManager/tgWhiteList/readonly', 'systemBots'),
  top('/systemManager/botInfo', 'systemBots'),
  screen('/systemManager/botInfo/customerService', 'systemBots', 'customerService', ['customerService']),
  readonly('/systemManager/botInfo/readonly', 'systemBots'),
  top('/systemManager/transferBotInfo', 'systemBots'),
  screen('/systemManager/transferBotInfo/customerService', 'systemBots', 'customerService', [
    'customerService',
  ]),
  readonly('/systemManager/transferBotInfo/readonly', 'systemBots'),
  screen('/setting/monitorScriptInfo', 'systemMonitorScripts', 'main', ['superAdmin', 'technicalSupport']),
  readonly('/setting/monitorScriptInfo/readonly', 'systemMonitorScripts'),
  screen('/setting/monitorScriptInfo/supplier', 'systemMonitorScripts', 'own', ['supplier']),
  top('/setting/banks', 'systemBanks'),
  readonly('/setting/banks/readonly', 'systemBanks'),
  top('/setting/users', 'systemAccountManagement'),
  readonly('/setting/users/readonly', 'systemAccountManagement'),
  top('/setting/accessReview', 'systemAccessReview'),
  readonly('/setting/accessReview/readonly', 'systemAccessReview'),
  main('/setting/duties', 'systemDuties'),
  readonly('/setting/duties/readonly', 'systemDuties'),
  screen('/systemManager/roleMatrix', 'systemRoleMatrix', 'main', ['superAdmin', 'technicalSupport']),
  readonly('/systemManager/roleMatrix/readonly', 'systemRoleMatrix'),
  top('/systemConfig', 'systemGlobalConfig'),
  readonly('/systemConfig/readonly', 'systemGlobalConfig'),
  top('/entity-data-view', 'systemEntityDataView'),
  readonly('/entity-data-view/readonly', 'systemEntityDataView'),
  top('/systemConfig-admin', 'systemMaintenance'),
  top('/userProduct', 'systemUserProducts'),
  readonly('/userProduct/readonly', 'systemUserProducts'),
  top('/order/testAdminOrder', 'systemTestOrder'),
  top('/auditRecord/auditRecord', 'systemAudit'),
  readonly('/auditRecord/auditRecord/readonly', 'systemAudit'),
  top('/setting/logged-user-list', 'systemOnlineUsers'),
  readonly('/setting/logged-user-list/readonly', 'systemOnlineUsers'),
  top('/systemManager/ipRule', 'systemIPRules'),
  readonly('/systemManager/ipRule/readonly', 'systemIPRules'),
  top('/systemManager/nameBlackList', 'systemNameBlacklist'),
  top('/orderCallback', 'systemOrderCallbacks'),
  readonly('/orderCallback/readonly', 'systemOrderCallbacks'),
  screen('/orderCallback/merchant', 'systemOrderCallbacks', 'own', ['merchant']),
  top('/orderCallbackDetail', 'systemOrderCallbackDetails'),
  readonly('/orderCallbackDetail/readonly', 'systemOrderCallbackDetails'),
  top('/payGatewayConfig', 'systemPayGateways'),
  readonly('/payGatewayConfig/readonly', 'systemPayGateways'),
  top('/messageTemplate', 'systemMessageTemplates'),
  top('/orderClearHistory', 'systemOrderClearingHistory'),
  top('/webMessage/management', 'systemWebMessageManagement'),
  readonly('/webMessage/management/readonly', 'systemWebMessageManagement'),
];

const byPath = new Map(SCREENS.map((known) => [known.path, known]));

export function screenAt(path: string): Screen | undefined {
  return byPath.get(path);
}

/** Whether a signed-in user of `role` may open `screen`. */
export function mayOpen(role: Role, screen: Screen): boolean {
  return screen.roles === 'public' || screen.roles === 'any' || screen.roles.includes(role);
}

/** The first screen of `area` that `role` may open. */
export const screenFor = (role: Role, area: string): Screen | undefined =>
  SCREENS.find((screen) => screen.area === area && mayOpen(role, screen));

/** The screen at `path`, or its variant (`path/…`), that `role` may open. */
export const variantFor = (role: Role, path: string): Screen | undefined =>
  SCREENS.find((each) => (each.path === path || each.path.startsWith(`${path}/`)) && mayOpen(role, each));

export function isReadOnly(role: Role, screen: Screen): boolean {
  return screen.readOnlyFor.includes(role);
}

/** Every role that may open the screen. */
export function rolesOf(screen: Screen): readonly Role[] {
  return screen.roles === 'public' || screen.roles === 'any' ? ROLES : screen.roles;
}
