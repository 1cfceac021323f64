import { setUserProduct } from '@sangam/contract/endpoints/terms.ts';
import { expect, it } from 'vitest';
import texts from '../locales/en-US.json' with { type: 'json' };
import { changesOf, decidedFields, ruleWords } from './request-fields.ts';

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

it('shows what goes and what stays when scheduled terms are taken back, not the taken rate as the new one', () => {
  const inForce = { ratePpm: 15_000, fixedFee: 0 };
  const gone = { ratePpm: 20_000, fixedFee: 0, currency: 'KES', effectiveTime: '2026-12-01 00:00:00' };
  const other = { ...gone, effectiveTime: '2027-01-01 00:00:00' };
  const request = { productId: 2060, termsId: '7', withdrawn: { ...gone, allBefore: inForce } };
  const stays = { ...inForce, currency: 'KES' };
  expect(decidedFields({ ...request, scheduled: [gone, other] })).toEqual({
    productId: 2060,
    withdrawn: gone,
    inForce: stays,
    scheduled: [other],
  });
  expect(decidedFields({ ...request, scheduled: [gone] })).toEqual({
    productId: 2060,
    withdrawn: gone,
    inForce: stays,
  });
  expect(decidedFields({ ratePpm: 20_000, scheduled: [other] })).toEqual({
    ratePpm: 20_000,
    scheduled: [other],
  });
});
