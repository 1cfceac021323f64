import { ACCOUNT_AREA_NAMES } from '@sangam/contract/account-kinds.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { mayOpen, SCREENS, type Screen } from '@sangam/contract/screens.ts';

/** The groups of the menu and their content, both in order. An entry is an area or a path. */
const GROUPS = {
  work: ['/home', 'toDo', '/message_page', 'profile'],
  orders: [
    'collectionOrders',
    'payoutOrders',
    'batchPayout',
    'systemOrderCallbacks',
    'systemOrderCallbackDetails',
    'interfaceTest',
  ],
  reconcile: [
    '/orderAnalysis/lost-order-list',
    'bankSMSRecords',
    'webMessageRecords',
    'usdtTransactionRecords',
    'trustedChain',
  ],
  money: ['finance', '/orderAnalysis/no-loss'],
  parties: ['merchants', 'suppliers', 'kycReview', 'systemUserProducts', 'systemNameBlacklist'],
  channels: [...ACCOUNT_AREA_NAMES, 'systemPayGateways', 'systemPayScripts', 'systemPayScriptCallRecords'],
  devices: ['monitorLog', 'systemMonitorScripts', 'systemMessageTemplates', 'systemBanks'],
  reports: ['collectionStatistics', 'payoutStatistics', 'orderAnalysis', 'performanceAnalysis'],
  admin: [
    'systemAlerts',
    'systemAccountManagement',
    'systemRoleMatrix',
    'systemAccessReview',
    'systemDuties',
    'systemOnlineUsers',
    'systemAudit',
    'systemGlobalConfig',
    'systemMaintenance',
    'systemTestOrder',
    'systemEntityDataView',
    'systemOrderClearingHistory',
    'systemIPRules',
    'systemBots',
    'systemWebMessageManagement',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type GroupName = keyof typeof GROUPS;

export interface MenuGroup {
  readonly name: GroupName;
  readonly screens: readonly Screen[];
}

const isOf = (entry: string, screen: Screen) =>
  screen.area === entry || screen.path === entry || screen.path.startsWith(`${entry}/`);

/** The group of each screen. An entry with the screen's path counts more than one with its area. */
const places = new Map(
  SCREENS.map((screen) => {
    const entries = Object.entries(GROUPS).flatMap(([name, all]) =>
      all.map((entry, index) => ({ name: name as GroupName, entry, index })),
    );
    const place =
      entries.find(({ entry }) => entry.startsWith('/') && isOf(entry, screen)) ??
      entries.find(({ entry }) => isOf(entry, screen));
    return [screen, place] as const;
  }),
);

/** The group of a screen; undefined for a screen outside the menu. */
export const groupOf = (screen: Screen): GroupName | undefined => places.get(screen)?.name;

/** The menu of a role: only screens that it may open. */
export function menuOf(role: Role): readonly MenuGroup[] {
  return (Object.keys(GROUPS) as GroupName[]).flatMap((name) => {
    const screens = SCREENS.filter((screen) => groupOf(screen) === name && mayOpen(role, screen));
    screens.sort((a, b) => places.get(a)!.index - places.get(b)!.index);
    return screens.length === 0 ? [] : [{ name, screens }];
  });
}
