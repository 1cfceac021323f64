import { expect, test } from 'vitest';
import { parseJson } from '../channels/gateway/wire.ts';
import { readJson, readRawFields } from '../http/body.ts';

/** Damaged calls from outside that used to end in an internal error. */

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

test('half a surrogate pair in a signed field or its name is replaced', () => {
  expect(readRawFields('{"mchOrderNo":"1\\ud800","\\udc00x":"y"}')).toEqual({
    mchOrderNo: '1\uFFFD',
    '\uFFFDx': 'y',
  });
});

test.each([
  '{"amount":"100","amount":"50000"}',
  '{"amount":1,"b":"\\"","\\u0061mount" : null}',
  '{"\\ud800":"1","\\udfff":"2"}',
])('%s names a field twice', (json) => {
  expect(() => readRawFields(json)).toThrow('twice');
});

test('text that only looks like a repeated name is one field', () => {
  const json = String.raw`{"a":"\",\"a\":1", "b\\" : "\"b\":", "c":12.50, "d":":"}`;
  expect(readRawFields(json)).toEqual({ a: '","a":1', 'b\\': '"b":', c: '12.50', d: ':' });
});
