import type { NameGroup } from '../language/names.ts';

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
  'held',
]);

/** Such an amount; a held one is written as a text of digits. */
export const isMoney = (key: string, value: unknown): boolean =>
  MONEY.has(key) && (typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value)));

/** Fields that say how another field of the same request was before. */
export const BEFORE: Readonly<Record<string, string>> = {
  ratePpm: 'beforeRatePpm',
  fixedFee: 'beforeFixedFee',
  value: 'before',
  template: 'templateBefore',
  balanceMode: 'balanceModeBefore',
  days: 'daysBefore',
  rule: 'ruleBefore',
  role: 'roleBefore',
  partyRole: 'partyRoleBefore',
  agent: 'agentBefore',
  agentId: 'agentIdBefore',
};

/** Fields whose values are keys, and the names of these. */
export const NAMED: Readonly<Record<string, NameGroup>> = {
  userChange: 'userChanges',
  role: 'roles',
  partyRole: 'partyRoles',
  bucket: 'buckets',
  kinds: 'alertKinds',
  ownerKind: 'ownerKinds',
  door: 'ipDoors',
  action: 'actions',
  change: 'requestChanges',
  kind: 'patchKinds',
  status: 'batchStatus',
  bot: 'botScreens.bots',
  balanceMode: 'balanceModes',
};

/** Fields of requests that are parts per million. */
export const RATES: ReadonlySet<string> = new Set(['ratePpm', 'beforeRatePpm']);

/** 15000 parts per million as 1.5%. */
export const percentText = (ppm: number): string => `${ppm / 10_000}%`;

/** An address rule in a line (entrance, whom, effect, network, `until` a time) in the reader's words. */
export function ruleWords(name: (group: NameGroup, key: string) => string, line: string): string {
  const [door = '', subject = '', effect = '', ...rest] = line.split(' ');
  return [name('ipDoors', door), name('ipSubjects', subject), name('ipEffects', effect), ...rest]
    .join(' ')
    .replace(/ until (?=\S+$)/, ' → ');
}

/** A setting's key as the settings screen calls it; another name as it is. */
export function settingName(name: (group: NameGroup, key: string) => string, key: string): string {
  const label = name('settings', `${key}.label`);
  return label === `${key}.label` ? key : label;
}
