import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sign } from '@sangam/contract/signature.ts';
import { catcherPage } from './catcher.ts';
import { startMerchantEndpoint, type MerchantEndpoint } from './merchant-endpoint.ts';

const md5 = { mchId: '10001', signType: 'md5', secret: 'ONE' } as const;
const hmac = { mchId: '10002', signType: 'hmac-sha256', secret: 'TWO' } as const;
const fields = { mchOrderNo: 'A-1', status: '1', realAmount: '10000' };

let endpoint: MerchantEndpoint;
beforeAll(async () => {
  endpoint = await startMerchantEndpoint({
    merchants: [md5, hmac],
    react: (_mchOrderNo, attempt) =>
      attempt === 1 ? { kind: 'error', status: 500, body: 'x' } : { kind: 'success' },
  });
});
afterAll(() => endpoint.stop());

describe('a merchant endpoint', () => {
  test('reads forms, JSON and queries, and reacts by the attempt', async () => {
    const form = new URLSearchParams({ ...fields, sign: sign(fields, 'md5', md5.secret) });
    const url = endpoint.notifyUrl(md5.mchId, 'A-1');
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(500);
    expect(await (await fetch(`${url}?${form.toString()}`)).text()).toBe('success');
    const json = JSON.stringify({ ...fields, status: 1, sign: sign(fields, 'hmac-sha256', hmac.secret) });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(endpoint.notifyUrl(hmac.mchId, 'A-1'), {
      method: 'POST',
      headers,
      body: json,
    });
    expect(await answer.text()).toBe('success');
    expect(
      endpoint.notifications.map(({ signatureValid, acknowledged }) => [signatureValid, acknowledged]),
    ).toEqual([
      [true, false],
      [true, true],
      [true, true],
    ]);
  });

  test('refuses a callback with a wrong signature', async () => {
    const form = new URLSearchParams({ ...fields, realAmount: '1', sign: sign(fields, 'md5', md5.secret) });
    const answer = await fetch(endpoint.notifyUrl(md5.mchId, 'A-1'), { method: 'POST', body: form });
    expect(answer.status).toBe(403);
    expect(endpoint.notifications.at(-1)).toMatchObject({ signatureValid: false, acknowledged: false });
  });
});

test('the catcher shows the newest callbacks, with HTML escaped', async () => {
  const catcher = await startMerchantEndpoint({
    merchants: [md5],
    react: () => ({ kind: 'success' }),
    page: catcherPage,
    kept: 1,
  });
  const page = async () => (await fetch(new URL('/', catcher.notifyUrl(md5.mchId, 'A-1')))).text();
  expect(await page()).toContain('None yet');
  for (const mchOrderNo of ['A-1', '<b>2']) {
    const told = { ...fields, mchOrderNo };
    const body = new URLSearchParams({ ...told, sign: sign(told, 'md5', md5.secret) });
    await fetch(catcher.notifyUrl(md5.mchId, mchOrderNo), { method: 'POST', body });
  }
  const shown = await page();
  expect(shown).toContain('<h2>&lt;b>2</h2>');
  expect(shown).toContain('The signature is right');
  expect(shown).not.toContain('A-1');
  await catcher.stop();
});
