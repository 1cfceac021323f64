import { expect, test } from 'vitest';
import { fieldName, subjectText } from './record-words.ts';

test('known fields have names, unknown ones keep their keys', () => {
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

test('the subject of an action is shown in words', () => {
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
