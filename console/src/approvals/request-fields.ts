import type { NameGroup } from '../language/names.ts';

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

/** An address rule in a line (entrance, whom, effect, network, `until` a time) in the reader's words. */
export function ruleWords(name: (group: NameGroup, key: string) => string, line: string): string {
  const [door = '', subject = '', effect = '', ...rest] = line.split(' ');
  return [name('ipDoors', door), name('ipSubjects', subject), name('ipEffects', effect), ...rest]
    .join(' ')
    .replace(/ until (?=\S+$)/, ' → ');
}
