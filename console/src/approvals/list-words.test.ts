import { PERSONAL_LISTS } from '@sangam/contract/personal-data.ts';
import { FILTER_OFFSET } from '@sangam/contract/money.ts';
import { ENDPOINTS } from '@sangam/contract/endpoints/index.ts';
import type { z } from 'zod';
import { expect, it } from 'vitest';
import { fieldTextKey, filterValue, namesOfFilter } from './list-words.ts';

/** Fields without a text: the same in every language, or part of paging and address, which no export has. */
const BARE = new Set(['utr', 'vpa', 'ifscCode', 'pageIndex', 'pageSize', 'pageNum', 'cursor', 'scope']);

it('has a name for every filter of a list whose export may wait for a second person', () => {
  const nameless = ENDPOINTS.filter(({ path }) => path in PERSONAL_LISTS).flatMap(({ path, input }) =>
    Object.keys((input as z.ZodObject).shape)
      .filter((field) => !BARE.has(field) && fieldTextKey(path, field) === undefined)
      .map((field) => `${path} ${field}`),
  );
  expect(nameless).toEqual([]);
});

it('names a person by role and a status by its list', () => {
  expect(fieldTextKey('/v1.0/order/getList', 'userName')).toBe('orders.userName');
  expect(fieldTextKey('/v1.0/payoutOrder/getList', 'userName')).toBe('payouts.payeeName');
  expect(namesOfFilter('/v1.0/payoutOrder/getList', 'orderStatusId')).toBe('payoutStatus');
});

it('writes an amount as the user typed it', () => {
  expect(filterValue('amount', 25.3456 + FILTER_OFFSET)).toBe('25.3456');
});
