/** Fields of requests that are amounts in minor units. */
export const MONEY: ReadonlySet<string> = new Set([
  'amount',
  'creditLimit',
  'before',
  'after',
  'fixedFee',
  'beforeFixedFee',
  'minAmount',
  'maxAmount',
  'dailyAmountLimit',
]);

/** Fields that say how another field of the same request was before. */
export const BEFORE: Readonly<Record<string, string>> = {
  ratePpm: 'beforeRatePpm',
  fixedFee: 'beforeFixedFee',
  value: 'before',
  template: 'templateBefore',
  rule: 'ruleBefore',
  role: 'roleBefore',
  partyRole: 'partyRoleBefore',
};

/** Fields of requests that are parts per million. */
export const RATES: ReadonlySet<string> = new Set(['ratePpm', 'beforeRatePpm']);

/** 15000 parts per million as 1.5%. */
export const percentText = (ppm: number): string => `${ppm / 10_000}%`;
