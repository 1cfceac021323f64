import type { Call, endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { isCurrency, isParts, type Parts, settingWord, unitOf } from '../figures/record-values.ts';
import type { Names } from '../language/names.ts';

export type Setting = RowOf<typeof endpoints.systemConfig.getSettings>;

type Typed = Readonly<Record<string, unknown>>;

/** The call that changes a setting; its body is `{enable}` or `{value}`. */
export const changeOf = (name: string): Call<Typed, unknown> => ({
  method: 'POST',
  path: `/v1.0/system-config/${name}`,
  access: ['superAdmin'],
});

/** Whether the history can put a former value back. Of a secret it has only the part that people see. */
export const canRevert = ({ secret, value }: Pick<Setting, 'secret' | 'value'>, former: unknown): boolean =>
  !secret && JSON.stringify(former) !== JSON.stringify(value);

/** The fields that edit a setting: one, or one for each part. A secret that is set can also be switched off. */
export function fieldsOf(
  name: Names,
  setting: Pick<Setting, 'name' | 'fallback' | 'range' | 'secret'>,
  value: unknown,
  { label, switchOff }: { readonly label: string; readonly switchOff: string },
): readonly DialogField[] {
  const { fallback, range, secret } = setting;
  if (isParts(fallback)) {
    return Object.keys(fallback).map((key): DialogField => {
      const among = range.split(', ').find((each) => each.startsWith(`${key} `));
      return numberField(name, setting.name, key, {
        name: key,
        label: settingWord(name, setting.name, 'parts', key),
        initial: (value as Parts)[key],
        ...(among !== undefined && { hint: among.slice(key.length + 1) }),
      });
    });
  }
  if (secret) {
    const form = range.replace(" | ''", '');
    const isKept = ({ off }: Typed) => off !== true;
    return [
      { name: 'value', label, hint: form, kind: 'text', initial: '', required: true, when: isKept },
      ...(value === '' ? [] : [{ name: 'off', label: switchOff, kind: 'flag' } as const]),
    ];
  }
  const field = { name: 'value', label, hint: range, initial: value };
  if (typeof fallback === 'boolean') return [{ name: 'value', label, kind: 'flag', initial: value }];
  if (typeof fallback === 'number') return [numberField(name, setting.name, undefined, field)];
  if (Array.isArray(fallback))
    return [{ ...field, kind: 'text', initial: (value as readonly string[]).join(', ') }];
  const options = / \| /.test(range) && !range.includes("''") ? range.split(' | ') : undefined;
  if (!options) return [{ ...field, kind: 'text' }];
  return [
    {
      ...field,
      kind: 'choice',
      required: true,
      options: options.map((option) => ({
        value: option,
        label: settingWord(name, setting.name, 'options', option),
      })),
    },
  ];
}

type FieldTexts = Pick<DialogField, 'name' | 'label' | 'hint' | 'initial'>;

/** The field of a number, in the setting's unit; an amount is typed in its currency. */
function numberField(name: Names, setting: string, part: string | undefined, texts: FieldTexts): DialogField {
  const unit = unitOf(setting, part);
  const field = { ...texts, required: true } as const;
  if (isCurrency(unit)) return { ...field, kind: 'money', currency: unit };
  if (unit === undefined) return { ...field, kind: 'whole' };
  const hint = texts.hint?.replace(` ${unit}`, '') ?? '';
  return { ...field, kind: 'whole', hint, unit: name('units', unit) };
}

/** Converts typed values to the call's body. A secret that is switched off becomes empty. */
export function bodyOf({ kind, fallback }: Pick<Setting, 'kind' | 'fallback'>, typed: Typed): Typed {
  const { reason, ...parts } = typed;
  const because = reason === undefined ? {} : { reason };
  if (isParts(fallback)) return { value: parts, ...because };
  const value = Array.isArray(fallback)
    ? (typeof typed['value'] === 'string' ? typed['value'] : '').split(/[\s,]+/).filter(Boolean)
    : (typed['value'] ?? '');
  return { [kind === 'flag' ? 'enable' : 'value']: value, ...because };
}
