/** What the repair finds and mends, in the order in which it works. */
export const MEND_KINDS = [
  'orderWithoutWaiting',
  'waitingWithoutOrder',
  'waitingDiffers',
  'holdWithoutOrder',
  'holdDiffers',
  'chainHold',
  'payoutClaim',
  'callbackLease',
  'jobLease',
  'accountLoad',
  'accountDay',
] as const;

export type MendKind = (typeof MEND_KINDS)[number];

/** Kinds whose repair moves money between balances, so it waits for a second person. */
export const MONEY_MENDS: ReadonlySet<MendKind> = new Set<MendKind>(['holdWithoutOrder']);
