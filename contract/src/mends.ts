/** What the repair of the system finds and mends, in the order in which it works. */
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

/** Kinds whose mending moves money between balances: it waits for a second person. */
export const MONEY_MENDS: ReadonlySet<MendKind> = new Set<MendKind>(['holdWithoutOrder']);
