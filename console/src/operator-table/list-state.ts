import { FILTER_OFFSET } from '@sangam/contract/money.ts';
import { isPeriod, periodTimes } from './period.ts';

export type FilterKind = 'text' | 'digits' | 'amount' | 'decimal' | 'usdt' | 'choice' | 'choices' | 'period';

type PagingName = 'pageIndex' | 'pageSize' | 'pageNum' | 'cursor';
type TimeName = 'startTime' | 'endTime';

/** The filters a list may have: fields of its call's input. 'period' stands for startTime and endTime. */
export type FilterName<Input> =
  | Exclude<keyof Input & string, PagingName | TimeName>
  | (TimeName extends keyof Input ? 'period' : never);

export interface FilterSpec<Name extends string = string> {
  /** Field of the call's input; a period fills startTime and endTime instead. */
  readonly name: Name;
  /** Short key in the address, different from all of LIST_PARAMS. */
  readonly param: string;
  readonly kind: FilterKind;
  /** The possible values of a choice, where they are a fixed set. */
  readonly values?: readonly string[];
}

export interface ListState {
  /** Filter name → text as in the address. */
  readonly filters: Readonly<Record<string, string>>;
  readonly page: number;
  /** Start of the page in a keyset list. Without it, a page above 1 is requested by its number. */
  readonly cursor: string | undefined;
  readonly pageSize: number;
  /** Key of the row whose drawer is open. */
  readonly open: string | undefined;
}

/** Keys in the address that the list uses for itself. */
export const LIST_PARAMS = { page: 'p', pageSize: 'n', cursor: 'c', open: 'open' } as const;

export const PAGE_SIZES = [20, 50, 100, 200] as const;
const DEFAULT_PAGE_SIZE = 50;
const MAX_TEXT = 128;

const digits = /^\d{1,19}$/;

function isValid(spec: FilterSpec, text: string): boolean {
  switch (spec.kind) {
    case 'text':
      return text.length <= MAX_TEXT;
    case 'digits':
      return digits.test(text);
    case 'decimal':
      return /^\d{1,12}(\.\d{1,6})?$/.test(text);
    case 'amount':
    case 'usdt':
      return /^\d{1,13}(\.\d{1,6})?$/.test(text);
    case 'choice':
      return spec.values?.includes(text) ?? true;
    case 'choices':
      return text.split(',').every((part) => spec.values?.includes(part) ?? true);
    case 'period':
      return isPeriod(text);
  }
}

/** Converts typed text to the text in the address, without the separators of a number (1,25,000); undefined where it is invalid. */
export function typedFilter(spec: FilterSpec, typed: string): string | undefined {
  const isNumber = ['amount', 'decimal', 'usdt', 'digits'].includes(spec.kind);
  const text = isNumber ? typed.replace(/[\s,，]/g, '') : typed.trim();
  return text === '' || isValid(spec, text) ? text : undefined;
}

const isPageSize = (size: unknown): size is number => PAGE_SIZES.some((allowed) => allowed === size);

/** The state of a list: from the address first, then from the user's last choice, then the default. */
export function readListState(
  search: string,
  specs: readonly FilterSpec[],
  storedPageSize: unknown,
): ListState {
  const query = new URLSearchParams(search);
  const filters: Record<string, string> = {};
  for (const spec of specs) {
    const text = query.get(spec.param)?.trim();
    if (text && isValid(spec, text)) filters[spec.name] = text;
  }
  const page = Number(query.get(LIST_PARAMS.page) ?? 1);
  const size = Number(query.get(LIST_PARAMS.pageSize) ?? Number.NaN);
  const cursor = query.get(LIST_PARAMS.cursor);
  const open = query.get(LIST_PARAMS.open);
  return {
    filters,
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    cursor: page > 1 && cursor && digits.test(cursor) ? cursor : undefined,
    pageSize: isPageSize(size) ? size : isPageSize(storedPageSize) ? storedPageSize : DEFAULT_PAGE_SIZE,
    open: open || undefined,
  };
}

/** The query for `state`, without default values. Other keys of `search` are kept. */
export function writeListState(
  state: ListState,
  specs: readonly FilterSpec[],
  storedPageSize: unknown,
  search = '',
): string {
  const query = new URLSearchParams(search);
  for (const own of [...specs.map(({ param }) => param), ...Object.values(LIST_PARAMS)]) query.delete(own);
  for (const spec of specs) {
    const text = state.filters[spec.name]?.trim();
    if (text && isValid(spec, text)) query.set(spec.param, text);
  }
  const assumed = isPageSize(storedPageSize) ? storedPageSize : DEFAULT_PAGE_SIZE;
  if (state.pageSize !== assumed) query.set(LIST_PARAMS.pageSize, String(state.pageSize));
  if (state.page > 1) query.set(LIST_PARAMS.page, String(state.page));
  if (state.page > 1 && state.cursor) query.set(LIST_PARAMS.cursor, state.cursor);
  if (state.open) query.set(LIST_PARAMS.open, state.open);
  const text = query.toString();
  return text ? `?${text}` : '';
}

function sent(kind: FilterKind, text: string): string | number {
  if (kind === 'amount') return Number(text) + FILTER_OFFSET;
  // Micro-USDT.
  return kind === 'usdt' ? Math.round(Number(text) * 1_000_000) : text;
}

/** The filters in the form of the call, without paging. */
export function filterInput(
  filters: ListState['filters'],
  specs: readonly FilterSpec[],
  now: Date,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const spec of specs) {
    const text = filters[spec.name];
    if (text === undefined) continue;
    if (spec.kind === 'period') Object.assign(input, periodTimes(text, now));
    else input[spec.name] = sent(spec.kind, text);
  }
  return input;
}

export function pagingInput(state: ListState): Record<string, unknown> {
  return {
    pageSize: state.pageSize,
    ...(state.page > 1 ? { pageIndex: state.page } : {}),
    ...(state.cursor ? { cursor: state.cursor } : {}),
  };
}

/** A change of filters goes back to the first page. */
export function withFilter(state: ListState, name: string, text: string | undefined): ListState {
  const { [name]: _, ...others } = state.filters;
  return { ...state, page: 1, cursor: undefined, filters: text ? { ...others, [name]: text } : others };
}
