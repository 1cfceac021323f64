import type { SettingName } from './settings.ts';

/** Settings whose change can be previewed: what it would have done in the last days is counted from the rows of that time. */
export const PREVIEWED = [
  'OrderTimeoutMinutes',
  'CompleteCheckOrderTime',
  'CanTimeoutSupplement',
  'NeedNameCheck',
  'LimitMode',
  'redWalletCount',
  'MonitorLiveTime',
  'CardCountry',
  'KYC',
  'EnableIpChangedCheck',
  'GlobalSecuritySetting',
  'SecurityFreqParameters',
  'FixSecurityChainSupplementLimit',
  'TimeoutCallbackTime',
  'MessageDelay',
  'DataClearCycle',
] as const satisfies readonly SettingName[];

export type PreviewedSetting = (typeof PREVIEWED)[number];

/** How many days a preview looks back. */
export const PREVIEW_DAYS = 7;

/** The sentences of previews. Each states a count and names the orders counted. */
export const PREVIEW_LINES = [
  'paidTooLate',
  'paidInLongerTime',
  'lateNoMore',
  'lateByItself',
  'supplementsRefused',
  'nameDiffers',
  'nameWouldPass',
  'limitRefusals',
  'limitPassed',
  'limitDays',
  'walletRefused',
  'walletWouldPass',
  'silentMonitor',
  'offlineWouldPass',
  'cardAccounts',
  'kycRefused',
  'kycWouldPass',
  'sessionsElsewhere',
  'payersElsewhere',
  'addressesFrequent',
  'messagesSurplus',
  'heldTooLong',
  'nowChecked',
  'noLongerChecked',
  'fewNeighbours',
  'patchesWait',
  'patchesAlone',
  'timeoutsTold',
  'timeoutsPaidBefore',
  'timeoutsUntold',
  'namedFirst',
  'namedLater',
  'delayedPastTime',
  'leaveDatabase',
  'stayInDatabase',
  'oldStillNeeded',
] as const;

export type PreviewLine = (typeof PREVIEW_LINES)[number];
