import { expect, test } from 'vitest';
import { fieldName, subjectText } from './record-words.ts';

test('fields have their names', () => {
  const words: Readonly<Record<string, string>> = {
    'auditFields.users': 'Users',
    'approvalFields.agent': 'Agent',
    'entityFields.float_steps': 'Float steps',
  };
  const name = (group: string, key: string | number) => words[`${group}.${key}`] ?? String(key);
  expect(['users', 'agent', 'floatSteps', 'nobodyKnows'].map((field) => fieldName(name, field))).toEqual([
    'Users',
    'Agent',
    'Float steps',
    'nobodyKnows',
  ]);
});

test('what something was done to is said in words', () => {
  const words: Readonly<Record<string, string>> = {
    'auditSubjects.approval': 'Request',
    'auditSubjects.setting': 'Setting',
    'auditSubjects.system': 'System',
    'settings.KYC.label': 'Approved KYC needed',
  };
  const name = (group: string, key: string | number) => words[`${group}.${key}`] ?? String(key);
  expect(
    ['approval:7', 'setting:KYC', 'setting:Gone', 'system', 'newer:1:2'].map((subject) =>
      subjectText(name, subject),
    ),
  ).toEqual(['Request 7', 'Setting Approved KYC needed', 'Setting Gone', 'System', 'newer:1:2']);
});
