import { CURRENCIES } from '@sangam/contract/money.ts';
import type { DialogField } from './dialog-field.ts';

const PERCENT_DIGITS = 4;

/** Converts typed text to the call's value; undefined for an empty field. Throws a RangeError where the text does not fit. */
export function fieldValue(field: DialogField, typed: unknown): unknown {
  if (typed === undefined || typed === null || typed === '') return undefined;
  if (field.kind === 'flag' || field.kind === 'choice' || field.kind === 'choices') return typed;
  const text = String(typed as string | number);
  switch (field.kind) {
    case 'money': {
      const minor = scaled(text, CURRENCIES[field.currency]);
      if (minor % 10 ** (CURRENCIES[field.currency] - decimalsOf(field)) !== 0) throw new RangeError(text);
      if (minor < 0 && !field.signed) throw new RangeError(text);
      return minor;
    }
    case 'percent': {
      const ppm = scaled(text, PERCENT_DIGITS);
      if (ppm < 0 || ppm > 1_000_000) throw new RangeError(text);
      return ppm;
    }
    case 'whole': {
      const value = scaled(text, 0);
      if (value < (field.min ?? 0) || value > (field.max ?? Number.MAX_SAFE_INTEGER))
        throw new RangeError(text);
      return value;
    }
    case 'time':
      if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) throw new RangeError(text);
      return text;
    case 'day':
      if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw new RangeError(text);
      return text;
    case 'text':
    case 'lines': {
      const trimmed = text.trim();
      if (field.pattern && trimmed && !field.pattern.test(trimmed)) throw new RangeError(text);
      return trimmed || undefined;
    }
    case 'password':
      return text;
  }
}

/** How many decimals may be typed into a field; 0 for a field that is no amount. */
export const decimalsOf = (field: DialogField) =>
  field.kind === 'money' ? (field.decimals ?? CURRENCIES[field.currency]) : 0;

/** Converts a value of the call to the text in the field. */
export function typedValue(field: DialogField, value: unknown): unknown {
  if (value === undefined || value === null) return field.kind === 'flag' ? false : undefined;
  if (field.kind === 'money') return unscaled(value as number, CURRENCIES[field.currency]);
  if (field.kind === 'percent') return unscaled(value as number, PERCENT_DIGITS);
  return field.kind === 'whole' ? String(value as number) : value;
}

/** Decimal text (commas allowed) as a whole number of units of its last digit. No floats. */
function scaled(text: string, digits: number): number {
  const match = /^(-?)(\d{1,15})(?:\.(\d*))?$/.exec(text.trim().replaceAll(',', ''));
  const fraction = match?.[3] ?? '';
  if (!match || fraction.length > digits) throw new RangeError(text);
  const value = Number(`${match[1]}${match[2]}${fraction.padEnd(digits, '0')}`);
  if (!Number.isSafeInteger(value)) throw new RangeError(text);
  return value;
}

function unscaled(value: number, digits: number): string {
  const text = String(Math.abs(value)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = text.slice(text.length - digits).replace(/0+$/, '');
  return `${value < 0 ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}
