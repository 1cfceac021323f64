import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { SIGN_TYPES, type SignType } from '@sangam/contract/sign-types.ts';
import { sign } from '@sangam/contract/signature.ts';
import type { OwnInterface } from './own-interface.ts';
import { sandboxLines } from './sandbox-lines.ts';

const SECRET = 'abcDEF0123456789';

const own = (signType: SignType): OwnInterface => ({
  mchId: '81',
  signType,
  callbackTransport: 'json',
  apiUrl: 'http://127.0.0.1:8080/',
  codes: [],
  products: [
    product(1012, 'in', []),
    product(1010, 'in', []),
    product(2001, 'out', ['userName', 'cardNumber', 'ifscCode']),
  ],
});

function product(productId: number, direction: 'in' | 'out', payeeFields: string[]) {
  const limits = {
    currency: 'INR',
    enabled: true,
    minAmount: 1,
    maxAmount: 9,
    ratePpm: 0,
    fixedFee: 0,
  } as const;
  return { productId, productName: '', direction, payeeFields, ...limits };
}

/** Reads a line as a shell would pass it to curl. */
function sent(line: string): { url: string; fields: Record<string, string> } {
  const shell = `curl() { printf '%s\\n' "$@"; }\n${line}`;
  const [url, , body] = execFileSync('sh', ['-c', shell], { encoding: 'utf8' }).split('\n');
  return { url: url!, fields: Object.fromEntries(new URLSearchParams(body)) };
}

test.each(SIGN_TYPES)('a shell signs each line as %s asks', (signType) => {
  const lines = sandboxLines(own(signType), SECRET, { number: '7', amount: 777_01 });
  expect(lines.map(({ call }) => call)).toEqual(['create', 'query', 'payout', 'queryMerchantBalance']);
  for (const { text } of lines) {
    const { url, fields } = sent(text);
    const { pathname } = new URL(url);
    expect(fields['sign']).toBe(sign(fields, signType, SECRET, `POST ${pathname}`));
    expect(fields['mchId']).toBe('81');
  }
});

test('create and query have the same order number, the payout names its payee, and callbacks go to the demo’s catcher', () => {
  const [create, query, payout] = sandboxLines(own('md5'), SECRET, { number: '7', amount: 777_01 }).map(
    ({ text }) => sent(text),
  );
  expect(create).toMatchObject({
    url: 'http://127.0.0.1:8080/v1.0/api/order/create',
    fields: {
      productId: '1010',
      mchOrderNo: 'ORDER7',
      amount: '77701',
      notifyUrl: 'http://127.0.0.1:8093/notify/81/ORDER7',
    },
  });
  expect(query!.fields['mchOrderNo']).toBe('ORDER7');
  expect(payout!.fields).toMatchObject({ productId: '2001', mchOrderNo: 'PAYOUT7', ifscCode: 'HDFC0000521' });
});

test('a merchant without a payout product gets no line for it', () => {
  const few = { ...own('md5'), products: [product(1010, 'in', [])] };
  const lines = sandboxLines(few, SECRET, { number: '7', amount: 777_01 });
  expect(lines.map(({ call }) => call)).toEqual(['create', 'query', 'queryMerchantBalance']);
});
