import { describe, expect, it } from 'vitest';
import type { endpoints } from 'virtual:endpoints';
import type { InputOf } from '../http/call-types.ts';
import type { ListDefinition } from './list-definition.ts';
import { listQuery } from './list-links.ts';
import { readListState, type FilterName } from './list-state.ts';

describe('listQuery', () => {
  it('writes a query that the list reads back', () => {
    const specs = [{ name: 'orderStatusId', param: 's', kind: 'choices' }] as const;
    const query = listQuery('payoutOrders', { orderStatusId: 3 }, '912');
    expect(readListState(query, specs, undefined)).toMatchObject({
      filters: { orderStatusId: '3' },
      open: '912',
    });
    expect(listQuery('merchants', { name: 'A & B' })).toBe('?q=A+%26+B');
    expect(listQuery('toDo', {})).toBe('');
  });
});

// What the compiler must refuse: a call ignores an unknown filter, so the list would show unfiltered.
type PayoutInput = InputOf<typeof endpoints.payout.getPayoutList>;
type PayoutFilters = ListDefinition<object, PayoutInput>['filters'];

it("takes a filter's name from the input of the list's call", () => {
  const names: FilterName<PayoutInput>[] = ['orderStatusId', 'batchId', 'period'];
  // @ts-expect-error no field of the input
  names.push('orderStatusID');
  // @ts-expect-error paging is no filter
  names.push('cursor');
  // @ts-expect-error a period stands for it
  names.push('startTime');
  // @ts-expect-error this list has no times, so no period
  const banks: FilterName<InputOf<typeof endpoints.messageTemplate.getBankList>>[] = ['period'];

  const right: PayoutFilters = [{ name: 'batchId', param: 'bt', kind: 'text', label: 'Batch' }];
  // @ts-expect-error a typo in a definition
  const wrong: PayoutFilters = [{ name: 'batchID', param: 'bt', kind: 'text', label: 'Batch' }];
  // @ts-expect-error a typo in a link
  const link = () => listQuery('payoutOrders', { orderStatusid: 3 });
  expect([names, banks, right, wrong, link].every(Boolean)).toBe(true);
});
