import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createDaraja, listedValue, resultCode } from './daraja.ts';

const ACCESS = { shortCode: '522533', type: 'paybill', keyId: 'id', keySecret: 'secret' } as const;
const CLOCK = { now: () => new Date() };

test('a result code is a number, or else no success', () => {
  expect([0, '0', 1032, 'SFC_IC0003', '', '9'.repeat(30), 1.5].map((code) => resultCode.parse(code))).toEqual(
    [0, 0, 1032, -1, -1, -1, -1],
  );
});

test('a value listed with a result is text, or empty', () => {
  const listed = z.object({ Value: listedValue });
  const values = [{ Value: 'RKT' }, { Value: 12.5 }, { Value: { toString: 1 } }, { Value: null }, {}];
  expect(values.map((item) => listed.parse(item).Value)).toEqual(['RKT', '12.5', '', '', '']);
});

test.each([
  [200, { ResponseCode: '0', CheckoutRequestID: 'ws_CO_1' }, 'checkoutId'],
  [200, { ResponseCode: '1', ResponseDescription: 'Rejected' }, 'refused'],
  [400, { errorCode: '400.002.02', errorMessage: 'Bad Request - Invalid PhoneNumber' }, 'refused'],
  [500, { errorCode: '500.003.02', errorMessage: 'Error Occurred: Spike Arrest Violation' }, 'unknown'],
  [200, { ResponseCode: '0' }, 'unknown'],
  [503, '<html>', 'unknown'],
])('a request to a phone answered with %j %j is %s', async (status, body, outcome) => {
  const url = await answering((path) =>
    path.startsWith('/oauth') ? [200, { access_token: 'token', expires_in: '3599' }] : [status, body],
  );
  expect(Object.keys(await push(url))).toEqual([outcome]);
});

test('a request that is still under processing has no result yet', async () => {
  const answered = async (code: string) => {
    const url = await answering((path) => [
      200,
      path.startsWith('/oauth')
        ? { access_token: 'token', expires_in: '3599' }
        : { ResponseCode: '0', ResultCode: code, ResultDesc: 'told' },
    ]);
    return createDaraja({ url, clock: CLOCK }).stkResult(ACCESS, 'ws_CO_1');
  };
  expect([await answered('4999'), await answered('1032')]).toEqual([undefined, { code: 1032, text: 'told' }]);
});

test('without a token no request was sent', async () => {
  const url = await answering(() => [400, { errorCode: '400.008.01' }]);
  expect(Object.keys(await push(url))).toEqual(['refused']);
});

/** A server that answers each path with a status and a body. */
async function answering(say: (path: string) => [number, unknown]): Promise<string> {
  const server = createServer((request, response) => {
    const [status, body] = say(request.url ?? '');
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function push(url: string) {
  return createDaraja({ url, clock: CLOCK }).stkPush(ACCESS, {
    phone: '254712345670',
    amount: 100_00n,
    reference: 'SABCDEFGH',
    callbackUrl: 'https://pay.example/result',
  });
}
