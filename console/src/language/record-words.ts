import type { Names } from './names.ts';

/** The name of a changed field, as the audit, a request or its table calls it; else the bare key. */
export function fieldName(name: Names, field: string): string {
  for (const group of ['auditFields', 'approvalFields'] as const) {
    const word = name(group, field);
    if (word !== field) return word;
  }
  const column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const known = name('entityFields', column);
  return known === column ? field : known;
}

/** The subject of an action in words: `approval:7` is 'Request 7'. The bare code where this build has no word for it. */
export function subjectText(name: Names, subject: string): string {
  const [kind = '', ...rest] = subject.split(':');
  const word = name('auditSubjects', kind);
  if (word === kind) return subject;
  const id = rest.join(':');
  if (id === '') return word;
  const label = kind === 'setting' ? name('settings', `${id}.label`) : `${id}.label`;
  return `${word} ${label === `${id}.label` ? id : label}`;
}
