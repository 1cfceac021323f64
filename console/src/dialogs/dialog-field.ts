import type { Currency } from '@sangam/contract/money.ts';

interface FieldBase {
  /** As the call names it: a refusal of this field is shown beside it. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  /** The value to begin with, as the call takes it. */
  readonly initial?: unknown;
  readonly onChange?: (value: unknown) => void;
  /** Shown only while this holds of what is typed. */
  readonly when?: (typed: Readonly<Record<string, unknown>>) => boolean;
}

/** A field and how what is typed becomes what the call takes. */
export type DialogField = FieldBase &
  (
    | {
        readonly kind: 'text' | 'lines' | 'password';
        readonly maxLength?: number;
        readonly pattern?: RegExp;
        readonly invalid?: string;
      }
    /** Minor units of the currency; `signed` also takes negative ones. `decimals` where fewer may be typed than the currency has. */
    | {
        readonly kind: 'money';
        readonly currency: Currency;
        readonly signed?: boolean;
        readonly decimals?: number;
      }
    /** A percentage, sent as parts per million. */
    | { readonly kind: 'percent' }
    /** `unit` is written behind it. */
    | { readonly kind: 'whole'; readonly min?: number; readonly max?: number; readonly unit?: string }
    | {
        readonly kind: 'choice';
        readonly options: readonly { readonly value: string | number; readonly label: string }[];
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
