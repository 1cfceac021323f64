import { setUserProduct } from '@sangam/contract/endpoints/terms.ts';
import { expect, it } from 'vitest';
import texts from '../locales/en-US.json' with { type: 'json' };
import { ruleWords } from './request-fields.ts';

const fields = Object.entries(setUserProduct.input.shape);

it('has a name for every field of a rate request', () => {
  const nameless = fields.map(([name]) => name).filter((name) => !(name in texts.approvalFields));
  expect(nameless).toEqual([]);
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
