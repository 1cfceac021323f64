import { expect, test } from 'vitest';
import { changesOf, fieldName, subjectText, textOf, valueText } from './changes.ts';

test('only what differs is a change; a field that came or went has no value on one side', () => {
  expect(changesOf({ before: { a: 1, b: 2, c: [1] }, after: { a: 1, b: 3, c: [1], d: 'x' } })).toEqual([
    { field: 'b', before: 2, after: 3 },
    { field: 'd', before: undefined, after: 'x' },
  ]);
  expect(changesOf({ before: null, after: { name: 'x' } })).toEqual([
    { field: 'name', before: undefined, after: 'x' },
  ]);
  expect(changesOf({ before: [1], after: [2] })).toEqual([{ field: 'value', before: [1], after: [2] }]);
});

test('nothing before and nothing after is no change', () => {
  expect(changesOf({ before: { a: 1 }, after: { a: 2, reason: null } })).toEqual([
    { field: 'a', before: 1, after: 2 },
  ]);
});

test('fields, and the kinds and states of requests, have their names', () => {
  const words: Readonly<Record<string, string>> = {
    'approvalFields.agent': 'Agent',
    'entityFields.float_steps': 'Float steps',
    'approvalKinds.batchCancel': 'Exported batch cancelled',
    'approvalStatus.refused': 'Rejected',
  };
  const name = (group: string, key: string | number) => words[`${group}.${key}`] ?? String(key);
  expect(['agent', 'floatSteps', 'nobodyKnows'].map((field) => fieldName(name, field))).toEqual([
    'Agent',
    'Float steps',
    'nobodyKnows',
  ]);
  expect(valueText(name, 'approval.start', 'kind', 'batchCancel')).toBe('Exported batch cancelled');
  expect(valueText(name, 'approval.refuse', 'status', 'refused')).toBe('Rejected');
  expect(valueText(name, 'monitor.update', 'kind', 'batchCancel')).toBe('batchCancel');
});

test('a value is one line', () => {
  expect([undefined, null, '', false, 0, 'x', { a: 1 }].map(textOf)).toEqual([
    '–',
    '–',
    '–',
    'false',
    '0',
    'x',
    '{"a":1}',
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
