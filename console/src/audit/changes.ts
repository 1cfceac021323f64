import type { Names } from '../language/names.ts';

export interface Change {
  readonly field: string;
  /** Undefined: the field was not there. */
  readonly before: unknown;
  readonly after: unknown;
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields whose values differ before and after, in the order they were written. A value that has no fields is one field. */
export function changesOf({
  before,
  after,
}: {
  readonly before: unknown;
  readonly after: unknown;
}): Change[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((field) => ({ field, before: was[field], after: is[field] }))
    .filter(({ before: a, after: b }) => JSON.stringify(a ?? null) !== JSON.stringify(b ?? null));
}

/** The kinds and states of requests have names; other values are as they were written. */
export function valueText(name: Names, action: string, field: string, value: unknown): string {
  if (action.startsWith('approval.') && typeof value === 'string') {
    if (field === 'kind') return name('approvalKinds', value);
    if (field === 'status') return name('approvalStatus', value);
  }
  return textOf(value);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {};
  return isFields(value) ? value : { value };
}

/** A value in a line; '–' where there is none. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
