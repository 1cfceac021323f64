import type { Call, endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { isParts, type Parts, partsText, SUMS } from '../figures/parts-text.ts';

export type Setting = RowOf<typeof endpoints.systemConfig.getSettings>;

type Typed = Readonly<Record<string, unknown>>;

/** The call that changes a setting; its body is `{enable}` or `{value}`. */
export const changeOf = (name: string): Call<Typed, unknown> => ({
  method: 'POST',
  path: `/v1.0/system-config/${name}`,
  access: ['superAdmin'],
});

/** A value in a line, as an operator reads it. */
export function valueText(value: unknown, flags: { readonly on: string; readonly off: string }): string {
  if (typeof value === 'boolean') return value ? flags.on : flags.off;
  if (Array.isArray(value)) return value.join(', ');
  if (isParts(value)) return partsText(value);
  return value === '' ? '–' : String(value as string | number);
}

/** The fields in which a setting is edited: one, or one for each of its parts. */
export function fieldsOf(
  { fallback, range, secret }: Pick<Setting, 'fallback' | 'range' | 'secret'>,
  value: unknown,
  label: string,
): readonly DialogField[] {
  if (isParts(fallback)) {
    return Object.keys(fallback).map((key): DialogField => {
      const among = range.split(', ').find((each) => each.startsWith(`${key} `));
      const part = {
        name: key,
        label: key,
        initial: (value as Parts)[key],
        required: true,
        ...(among !== undefined && { hint: among.slice(key.length + 1) }),
      } as const;
      const currency = SUMS[key];
      return currency ? { ...part, kind: 'money', currency } : { ...part, kind: 'whole' };
    });
  }
  const field = { name: 'value', label, hint: range, initial: secret ? '' : value };
  if (secret) return [{ ...field, kind: 'text' }];
  if (typeof fallback === 'boolean') return [{ name: 'value', label, kind: 'flag', initial: value }];
  if (typeof fallback === 'number') return [{ ...field, kind: 'whole', required: true }];
  if (Array.isArray(fallback))
    return [{ ...field, kind: 'text', initial: (value as readonly string[]).join(', ') }];
  const options = / \| /.test(range) && !range.includes("''") ? range.split(' | ') : undefined;
  if (!options) return [{ ...field, kind: 'text' }];
  return [
    {
      ...field,
      kind: 'choice',
      required: true,
      options: options.map((option) => ({ value: option, label: option })),
    },
  ];
}

/** What the call takes for what was typed. */
export function bodyOf({ kind, fallback }: Pick<Setting, 'kind' | 'fallback'>, typed: Typed): Typed {
  const { reason, ...parts } = typed;
  const because = reason === undefined ? {} : { reason };
  if (isParts(fallback)) return { value: parts, ...because };
  const value = Array.isArray(fallback)
    ? (typeof typed['value'] === 'string' ? typed['value'] : '').split(/[\s,]+/).filter(Boolean)
    : (typed['value'] ?? '');
  return { [kind === 'flag' ? 'enable' : 'value']: value, ...because };
}
