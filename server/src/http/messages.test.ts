import { expect, test } from 'vitest';
import { refuse } from '../platform/refusal.ts';
import { refusalText } from './messages.ts';

test('a refusal says its reason where the code alone says nothing', () => {
  const exists = refuse('conflict', {}, { reason: 'accountExists', fields: [{ path: 'account' }] });
  expect(refusalText(exists, 'en-US')).toBe('This account already exists; check its number or name');
  expect(refusalText(exists, 'zh-CN')).toBe('该账号已存在，请检查账号或名称');
  expect(refusalText(refuse('conflict'), 'en-US')).toBe('The state has changed; refresh and try again');
  const unnamed = refuse('conflict', {}, { reason: 'constructor' });
  expect(refusalText(unnamed, 'en-US')).toBe('The state has changed; refresh and try again');
  const merchants = refuse('productNotEnabled', {}, { reason: 'kycMissing' });
  expect(refusalText(merchants, 'en-US')).not.toContain('KYC');
});
