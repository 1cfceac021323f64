import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseJson } from '../channels/gateway/wire.ts';
import { listedValue, resultCode } from '../channels/mpesa/daraja.ts';
import { readJson } from './body.ts';

/** What damaged calls from outside had made an error of ours. */

test.each([readJson, parseJson])(
  'half of a character in JSON is mended, for no column can hold it',
  (read) => {
    expect(read('{"scriptVersion":"1\\ud800","list":["\\udc00x"]}')).toEqual({
      scriptVersion: '1\uFFFD',
      list: ['\uFFFDx'],
    });
  },
);

test('U+0000 is refused', () => {
  expect(() => readJson('{"a":"\\u0000"}')).toThrow('U+0000');
  expect(parseJson('{"a":"\\u0000"}')).toBeUndefined();
});

test('what M-Pesa ends with is a number, or no success', () => {
  expect([0, '0', 1032, 'SFC_IC0003', '', '9'.repeat(30), 1.5].map((code) => resultCode.parse(code))).toEqual(
    [0, 0, 1032, -1, -1, -1, -1],
  );
});

test('what M-Pesa lists beside it is text, or nothing', () => {
  const listed = z.object({ Value: listedValue });
  const values = [{ Value: 'RKT' }, { Value: 12.5 }, { Value: { toString: 1 } }, { Value: null }, {}];
  expect(values.map((item) => listed.parse(item).Value)).toEqual(['RKT', '12.5', '', '', '']);
});
