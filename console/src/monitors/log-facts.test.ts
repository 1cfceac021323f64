import { expect, test } from 'vitest';
import { logFacts } from './log-facts.ts';

const t = ((key: string) => key.replace('monitorLog.', '')) as unknown as Parameters<typeof logFacts>[1];
const name = (group: string, key: string) => `${group}:${key}`;
const of = (
  logPhase: 'received' | 'heartbeat' | 'failed' | 'command' | 'matched',
  detail: object,
  messageId: string | null = null,
) => logFacts({ logPhase, messageId, detail: { ...detail } }, t, name);

test('every kind of log line has facts in words', () => {
  expect(of('received', { messages: 12 })).toEqual([['messages', '12']]);
  expect(of('heartbeat', { scriptVersion: '1.4.0', battery: 80, accounts: ['40001', '40002'] })).toEqual([
    ['script', '1.4.0'],
    ['battery', '80%'],
    ['accounts', '40001, 40002'],
  ]);
  expect(of('received', { sequenceHole: ['17', '19'] })).toEqual([['missing', '17 – 19']]);
  expect(of('received', { sequenceHole: ['17', '17'] })).toEqual([['missing', '17']]);
  expect(of('failed', { reason: 'sequenceRepeated', sequence: '17', last: '20' })).toEqual([
    ['repeated', '17'],
    ['last', '20'],
  ]);
  expect(of('failed', {}, '9001')).toEqual([['unread', '9001']]);
  expect(of('matched', { evidence: 'exactAmount' }, '9002')).toEqual([
    ['evidence', 'logEvidence:exactAmount'],
  ]);
  expect(
    of('command', {
      command: 'resend',
      from: '2026-11-22T10:00:00.000Z',
      to: '2026-11-22T10:05:00.000Z',
      reason: 'chainGap',
    }),
  ).toEqual([
    ['asked', 'resend'],
    ['span', '2026-11-22 15:30:00 – 2026-11-22 15:35:00'],
    ['why', 'logReasons:chainGap'],
  ]);
  expect(of('command', { command: 'refreshScript', version: '1.5.0' })).toEqual([
    ['asked', 'refresh'],
    ['script', '1.5.0'],
  ]);
});

test('facts without a text are left out', () => {
  expect(of('heartbeat', { mood: { good: true } })).toEqual([]);
});
