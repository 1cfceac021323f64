import type { NameGroup } from '../language/names.ts';

/** For a field, the other field of the same request that holds its value before the change. */
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
  /** Null: the value is removed. */
  readonly now: unknown;
  /** Undefined: the request does not state the value before, or nothing changes. Null: there was no value before. */
  readonly before: unknown;
}

/** The fields of a request or its outcome, each with its value before. Fields that stay empty are left out. */
export function changesOf(fields: Fields): readonly FieldChange[] {
  // Requests about bot groups and terms carry all values before the change.
  const all = (fields['allBefore'] ?? {}) as Fields;
  const told = new Set(['allBefore', ...Object.keys(fields).map((key) => BEFORE[key])]);
  return Object.entries(fields).flatMap(([key, value]) => {
    const [now, before] = [value ?? null, BEFORE[key] ? fields[BEFORE[key]] : all[key]];
    if (told.has(key) || (now === null && (before ?? null) === null)) return [];
    return { key, now, before: JSON.stringify(now) === JSON.stringify(before) ? undefined : before };
  });
}

/** An address rule as one line in the reader's words: entrance, whom, effect, network, and `until` a time. */
export function ruleWords(name: (group: NameGroup, key: string) => string, line: string): string {
  const [door = '', subject = '', effect = '', ...rest] = line.split(' ');
  return [name('ipDoors', door), name('ipSubjects', subject), name('ipEffects', effect), ...rest]
    .join(' ')
    .replace(/ until (?=\S+$)/, ' → ');
}
