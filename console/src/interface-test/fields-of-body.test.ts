import { expect, test } from 'vitest';
import { fieldsOfBody } from './fields-of-body.ts';

test('JSON numbers and booleans keep the text they were written with; null is absent', () => {
  expect(fieldsOfBody('{"a":10.0,"b":1e2,"c":false,"d":null,"e":"x y"}')).toEqual({
    a: '10.0',
    b: '1e2',
    c: 'false',
    e: 'x y',
  });
});

test('forms and queries are read too', () => {
  expect(fieldsOfBody('?mchId=1&notifyUrl=https%3A%2F%2Fx%2Fn&sign=AB')).toEqual({
    mchId: '1',
    notifyUrl: 'https://x/n',
    sign: 'AB',
  });
});

test('text that is neither JSON nor a form is refused', () => {
  expect(() => fieldsOfBody('{"a":')).toThrow();
});
