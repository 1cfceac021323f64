import { expect, test } from 'vitest';
import { z } from 'zod';
import { listedValue, resultCode } from './daraja.ts';

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
