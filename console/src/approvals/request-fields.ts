import type { NameGroup } from '../language/names.ts';

/** Fields that say how another field of the same request was before. */
const BEFORE: Readonly<Record<string, string>> = {
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

type Fields = Readonly<Record<string, unknown>>;

interface FieldChange {
  readonly key: string;
  /** Null: it is to be empty. */
  readonly now: unknown;
  /** Undefined where the request says nothing of it, or nothing changes; null: it was empty. */
  readonly before: unknown;
}

/** What a request or its outcome carries, field by field, each with what it was before. What stays empty is left out. */
export function changesOf(fields: Fields): readonly FieldChange[] {
  // Of bots' groups and of terms: all of it.
  const all = (fields['allBefore'] ?? {}) as Fields;
  const told = new Set(['allBefore', ...Object.keys(fields).map((key) => BEFORE[key])]);
  return Object.entries(fields).flatMap(([key, value]) => {
    const [now, before] = [value ?? null, BEFORE[key] ? fields[BEFORE[key]] : all[key]];
    if (told.has(key) || (now === null && (before ?? null) === null)) return [];
    return { key, now, before: JSON.stringify(now) === JSON.stringify(before) ? undefined : before };
  });
}

/** An address rule in a line (entrance, whom, effect, network, `until` a time) in the reader's words. */
export function ruleWords(name: (group: NameGroup, key: string) => string, line: string): string {
  const [door = '', subject = '', effect = '', ...rest] = line.split(' ');
  return [name('ipDoors', door), name('ipSubjects', subject), name('ipEffects', effect), ...rest]
    .join(' ')
    .replace(/ until (?=\S+$)/, ' → ');
}
