import { setUserProduct } from '@sangam/contract/endpoints/terms.ts';
import { expect, it } from 'vitest';
import texts from '../locales/en-US.json' with { type: 'json' };
import { changesOf, ruleWords } from './request-fields.ts';

const fields = Object.entries(setUserProduct.input.shape);

it('has a name for every field of a rate request', () => {
  const nameless = fields.map(([name]) => name).filter((name) => !(name in texts.approvalFields));
  expect(nameless).toEqual([]);
});

it('shows the former agent when an agent is removed, and none before when one is added', () => {
  const gone = { agent: '–', agentBefore: 'Deccan', agentId: null, agentIdBefore: '20001' };
  expect(changesOf(gone)).toEqual([
    { key: 'agent', now: '–', before: 'Deccan' },
    { key: 'agentId', now: null, before: '20001' },
  ]);
  const first = { agent: 'Deccan', agentBefore: null, agentId: '20001', agentIdBefore: null };
  expect(changesOf(first)).toEqual([
    { key: 'agent', now: 'Deccan', before: null },
    { key: 'agentId', now: '20001', before: null },
  ]);
});

it('shows which fields of a bot’s group change', () => {
  const group = {
    title: 'Desk',
    kinds: ['lowDeposit', 'diskFull'],
    quietFrom: null,
    ownerId: '7',
    enabled: true,
  };
  const asked = { ...group, kinds: ['diskFull'], ownerId: null, enabled: false, allBefore: group };
  expect(changesOf(asked)).toEqual([
    { key: 'title', now: 'Desk', before: undefined },
    { key: 'kinds', now: ['diskFull'], before: ['lowDeposit', 'diskFull'] },
    { key: 'ownerId', now: null, before: '7' },
    { key: 'enabled', now: false, before: true },
  ]);
  expect(changesOf({ title: 'Desk', allBefore: null })).toEqual([
    { key: 'title', now: 'Desk', before: undefined },
  ]);
});

it('writes an address rule in the reader’s words', () => {
  const words: Readonly<Record<string, string>> = {
    merchantApi: 'Merchant API',
    anyone: 'Anyone',
    allow: 'Allow',
  };
  const name = (_: string, key: string) => words[key] ?? key;
  expect(ruleWords(name, 'merchantApi anyone allow 10.0.0.0/8')).toBe('Merchant API Anyone Allow 10.0.0.0/8');
  expect(ruleWords(name, 'console merchant:7 deny 10.0.0.1 until 2026-12-01T00:00:00.000Z')).toBe(
    'console merchant:7 deny 10.0.0.1 → 2026-12-01T00:00:00.000Z',
  );
});
