import type { Role } from '@sangam/contract/roles.ts';

/** What a visitor of the demo may try first, by role: the screen's path, and the key of the text that says what to do there. */
export const FIRST_STEPS = {
  superAdmin: [
    ['/todo/mine', 'decide'],
    ['/order/testAdminOrder', 'testOrder'],
    ['/systemConfig', 'preview'],
    ['/orderAnalysis/what-if', 'whatIf'],
    ['/auditRecord/auditRecord', 'audit'],
  ],
  admin: [
    ['/order/list', 'findOrder'],
    ['/todo/mine', 'decide'],
    ['/orderAnalysis/lost-order-list', 'lostMoney'],
    ['/order/statistics', 'statistics'],
    ['/orderAnalysis/no-loss', 'noLoss'],
  ],
  customerService: [
    ['/order/list/customerService', 'findOrder'],
    ['/orderAnalysis/lost-order-list/customerService', 'lostMoney'],
    ['/payProxyOrder/list/customerService', 'answerPayout'],
    ['/payoutBatch/customerService', 'batch'],
    ['/monitorLog/monitorLog/customerService', 'monitors'],
  ],
  technicalMaintenance: [
    ['/systemManager/alerts', 'alerts'],
    ['/orderCallback/readonly', 'webhooks'],
    ['/fundRecord/verify/readonly', 'verify'],
    ['/systemConfig/readonly', 'settings'],
    ['/auditRecord/auditRecord/readonly', 'audit'],
  ],
  technicalSupport: [
    ['/dynamicPay/scripts', 'payScript'],
    ['/dynamicPay/records', 'scriptCalls'],
    ['/setting/monitorScriptInfo', 'monitorScript'],
    ['/systemManager/alerts', 'alerts'],
    ['/systemManager/roleMatrix', 'roleMatrix'],
  ],
  supplier: [
    ['/payProxyOrder/list/supplier', 'claim'],
    ['/internationalCardToCard/list', 'ownAccounts'],
    ['/bankStatement/list', 'messages'],
    ['/payoutBatch/list', 'batch'],
    ['/fundRecord/fundRecord', 'transactions'],
  ],
  merchant: [
    ['/order/test/merchant', 'makeOrder'],
    ['/order/list/merchant', 'ownOrders'],
    ['/payProxyOrder/list/merchant', 'ownPayouts'],
    ['/fundRecord/fundRecord', 'transactions'],
    ['/order/statistics/merchant', 'statistics'],
  ],
} as const satisfies Readonly<Record<Role, readonly (readonly [path: string, text: string])[]>>;
