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

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a rate request takes scheduled terms back, instead of setting terms. */
export const takesTermsBack = (fields: Fields): boolean => isFields(fields['withdrawn']);

/**
 * A request to take scheduled terms back, as its decider reads it: the terms that go, those that stay in force, and the others that
 * stay scheduled. Any other request stays as it is. Without this, the taken rate stood as the new one.
 */
export function decidedFields(fields: Fields): Fields {
  const { withdrawn, scheduled, termsId: _, ...about } = fields;
  if (!isFields(withdrawn)) return fields;
  const { allBefore, ...gone } = withdrawn;
  const others = (Array.isArray(scheduled) ? (scheduled as Fields[]) : []).filter(
    (each) => !Object.entries(each).every(([key, value]) => gone[key] === value),
  );
  return {
    ...about,
    withdrawn: gone,
    ...(isFields(allBefore) ? { inForce: { ...allBefore, currency: gone['currency'] } } : {}),
    ...(others.length > 0 ? { scheduled: others } : {}),
  };
}

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
