import type { Currency } from '@sangam/contract/money.ts';

interface FieldBase {
  /** The field's name in the call. A refusal of this field is shown beside it. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  /** The initial value, as the call has it. */
  readonly initial?: unknown;
  readonly onChange?: (value: unknown) => void;
  /** The field is shown only while this holds for the typed values. */
  readonly when?: (typed: Readonly<Record<string, unknown>>) => boolean;
}

/** A field, with the conversion of typed text to the call's value. */
export type DialogField = FieldBase &
  (
    | {
        readonly kind: 'text' | 'lines' | 'password';
        readonly maxLength?: number;
        readonly pattern?: RegExp;
        readonly invalid?: string;
      }
    /** Minor units of the currency. `signed` allows negative amounts. `decimals`: fewer decimals than the currency has. */
    | {
        readonly kind: 'money';
        readonly currency: Currency;
        readonly signed?: boolean;
        readonly decimals?: number;
      }
    /** A percentage; the call takes parts per million. */
    | { readonly kind: 'percent' }
    /** `unit` is written after the number. */
    | { readonly kind: 'whole'; readonly min?: number; readonly max?: number; readonly unit?: string }
    | {
        readonly kind: 'choice';
        readonly options: readonly { readonly value: string | number; readonly label: string }[];
        /** Called with the typed text; the options are then what was found by it. Absent: the form searches the options itself. */
        readonly onSearch?: (text: string) => void;
      }
    /** Several of the options. */
    | {
        readonly kind: 'choices';
        readonly options: readonly { readonly value: string | number; readonly label: string }[];
      }
    | { readonly kind: 'flag' }
    /** YYYY-MM-DD */
    | { readonly kind: 'day' }
    /** YYYY-MM-DD HH:mm:ss */
    | { readonly kind: 'time'; readonly notPast?: boolean }
  );
