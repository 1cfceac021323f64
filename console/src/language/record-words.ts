import type { Names } from './names.ts';

/** A field of a change in the reader's words, as the audit, a request or the table it stands in calls it; else its key. */
export function fieldName(name: Names, field: string): string {
  for (const group of ['auditFields', 'approvalFields'] as const) {
    const word = name(group, field);
    if (word !== field) return word;
  }
  const column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const known = name('entityFields', column);
  return known === column ? field : known;
}

/** What something was done to in the reader's words: `approval:7` is 'Request 7'. The bare code where this build has no word for it. */
export function subjectText(name: Names, subject: string): string {
  const [kind = '', ...rest] = subject.split(':');
  const word = name('auditSubjects', kind);
  if (word === kind) return subject;
  const id = rest.join(':');
  if (id === '') return word;
  const label = kind === 'setting' ? name('settings', `${id}.label`) : `${id}.label`;
  return `${word} ${label === `${id}.label` ? id : label}`;
}
