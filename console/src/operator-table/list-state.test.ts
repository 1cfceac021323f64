import { describe, expect, it } from 'vitest';
import { parseTime } from '@sangam/contract/time.ts';
import {
  filterInput,
  LIST_PARAMS,
  pagingInput,
  readListState,
  typedFilter,
  withFilter,
  writeListState,
  type FilterSpec,
} from './list-state.ts';
import { periodTimes } from './period.ts';

const specs: readonly FilterSpec[] = [
  { name: 'orderCode', param: 'o', kind: 'text' },
  { name: 'merchantId', param: 'm', kind: 'digits' },
  { name: 'orderStatusId', param: 's', kind: 'choices', values: ['0', '1', '2'] },
  { name: 'supplementStatus', param: 'u', kind: 'choice', values: ['0', '1'] },
  { name: 'amount', param: 'a', kind: 'amount' },
  { name: 'period', param: 't', kind: 'period' },
];

describe('reading', () => {
  it('prefers the address to the stored choice, and the stored choice to the default', () => {
    expect(readListState('?n=100', specs, 20).pageSize).toBe(100);
    expect(readListState('', specs, 20).pageSize).toBe(20);
    expect(readListState('', specs, undefined).pageSize).toBe(50);
  });

  it('drops invalid values', () => {
    const state = readListState('?m=abc&s=1,9&u=2&a=-5&t=never&p=0&n=7&c=x&o=%20', specs, 'many');
    expect(state).toEqual({ filters: {}, page: 1, cursor: undefined, pageSize: 50, open: undefined });
  });

  it('ignores a cursor on the first page', () => {
    expect(readListState('?c=5', specs, undefined).cursor).toBeUndefined();
    expect(readListState('?p=2&c=5', specs, undefined).cursor).toBe('5');
  });
});

describe('typing', () => {
  const spec = (name: string) => specs.find((each) => each.name === name)!;

  it.each([
    ['amount', ' 1,25,000 ', '125000'],
    ['amount', '1 250\u00a0000.5', '1250000.5'],
    ['merchantId', '7,204 118', '7204118'],
    ['orderCode', ' a, b ', 'a, b'],
    ['amount', ' ', ''],
  ])('%s takes %j for %j', (name, typed, read) => {
    expect(typedFilter(spec(name), typed)).toBe(read);
  });

  it.each([
    ['amount', '₹500'],
    ['amount', '1.2.3'],
    ['merchantId', '12a'],
    ['orderCode', 'x'.repeat(129)],
  ])('%s cannot read %j', (name, typed) => {
    expect(typedFilter(spec(name), typed)).toBeUndefined();
  });
});

it('writes the state it read, without defaults', () => {
  const search = '?o=ab+c&s=1%2C2&t=today&n=100&p=3&c=99&open=7';
  expect(writeListState(readListState(search, specs, undefined), specs, undefined)).toBe(search);
  expect(writeListState(readListState('?n=100&p=1', specs, 100), specs, 100)).toBe('');
});

it("keeps keys in the tab's query that are not the list's own", () => {
  const search = '?m=5&message=7&p=3';
  const state = withFilter(readListState(search, specs, undefined), 'merchantId', '6');
  expect(writeListState(state, specs, undefined, search)).toBe('?message=7&m=6');
});

it('starts again at the first page when a filter changes, and keeps the rest', () => {
  const state = readListState('?m=5&u=1&p=3&c=99&open=7', specs, undefined);
  expect(withFilter(state, 'merchantId', undefined)).toMatchObject({
    filters: { supplementStatus: '1' },
    page: 1,
    cursor: undefined,
    open: '7',
  });
  expect(withFilter(state, 'merchantId', '6').filters).toEqual({ merchantId: '6', supplementStatus: '1' });
});

describe('the input of the call', () => {
  const now = parseTime('2026-11-20 00:10:00')!;
  const input = (search: string) => filterInput(readListState(search, specs, undefined).filters, specs, now);

  it('sends amounts with the offset of the list filters', () => {
    expect(input('?a=100.5')).toEqual({ amount: 100.5001 });
  });

  it('turns presets into business days', () => {
    expect(input('?t=today')).toEqual({ startTime: '2026-11-20 00:00:00' });
    expect(input('?t=yesterday')).toEqual({
      startTime: '2026-11-19 00:00:00',
      endTime: '2026-11-19 23:59:59',
    });
    expect(input('?t=7d')).toEqual({ startTime: '2026-11-14 00:00:00' });
    expect(input('?t=2026-11-01 00:00:00~2026-11-02 12:00:00')).toEqual({
      startTime: '2026-11-01 00:00:00',
      endTime: '2026-11-02 12:00:00',
    });
  });

  it('counts today among the 31 days that apply without a choice', () => {
    expect(periodTimes(undefined, now)).toEqual({ startTime: '2026-10-21 00:00:00' });
  });

  it('asks for a page by cursor, or by number when it has none', () => {
    expect(pagingInput(readListState('?p=2&c=5', specs, undefined))).toEqual({
      pageSize: 50,
      pageIndex: 2,
      cursor: '5',
    });
    expect(pagingInput(readListState('?p=2', specs, undefined))).toEqual({ pageSize: 50, pageIndex: 2 });
    expect(pagingInput(readListState('', specs, undefined))).toEqual({ pageSize: 50 });
  });
});

it('no filter of any list uses a key that the list itself has in the address', () => {
  const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const params = Object.entries(sources).flatMap(([file, source]) =>
    [...source.matchAll(/(?:\bparam: |\byesNo\()'(\w+)'/g)].map(([, param]) => ({ file, param })),
  );
  expect(params.length).toBeGreaterThan(80);
  const reserved: readonly string[] = Object.values(LIST_PARAMS);
  expect(params.filter(({ param }) => reserved.includes(param!))).toEqual([]);
});
