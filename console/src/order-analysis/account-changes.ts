import type { endpoints } from 'virtual:endpoints';
import { boundToMinor, CURRENCIES, type Currency } from '@sangam/contract/money.ts';
import type { InputOf } from '../http/call-types.ts';

/** One row of the what-if: an account, and what is different of it. Texts are as typed; an empty one changes nothing. */
export interface AccountChange {
  /** Only for the screen. */
  readonly key: number;
  readonly account:
    | { readonly value: string; readonly label: string; readonly currency: Currency }
    | undefined;
  readonly weight: string;
  readonly dailyCountLimit: string;
  readonly dailyAmountLimit: string;
  readonly closed: boolean;
}

export const newChange = (key: number): AccountChange => ({
  key,
  account: undefined,
  weight: '',
  dailyCountLimit: '',
  dailyAmountLimit: '',
  closed: false,
});

export const NUMBERS = ['weight', 'dailyCountLimit', 'dailyAmountLimit'] as const;
export type NumberField = (typeof NUMBERS)[number];
export type ChangeField = 'account' | NumberField;

const MOST_WEIGHT = 1_000;
const MOST_DAILY = 999_999_999;

/** Undefined for an empty text, NaN for a text that is no whole number up to `most`. */
function whole(text: string, most: number): number | undefined {
  const digits = text.replace(/[\s,，]/g, '');
  if (digits === '') return undefined;
  return /^\d{1,9}$/.test(digits) && Number(digits) <= most ? Number(digits) : Number.NaN;
}

/** In minor units. Undefined for an empty text, NaN for a text that is no amount of the currency. */
function money(text: string, currency: Currency): number | undefined {
  const decimal = text.replace(/[\s,，]/g, '');
  if (decimal === '') return undefined;
  const isAmount = new RegExp(`^\\d{1,9}(\\.\\d{1,${CURRENCIES[currency]}})?$`).test(decimal);
  return isAmount ? Number(boundToMinor(decimal, currency, 'to')) : Number.NaN;
}

function read({ account, weight, dailyCountLimit, dailyAmountLimit, closed }: AccountChange) {
  return {
    resourceId: account?.value,
    // A closed account gets no orders, whatever its weight and limit are.
    weight: closed ? undefined : whole(weight, MOST_WEIGHT),
    dailyCountLimit: closed ? undefined : whole(dailyCountLimit, MOST_DAILY),
    dailyAmountLimit: closed ? undefined : money(dailyAmountLimit, account?.currency ?? 'USDT'),
    closed: closed || undefined,
  };
}

/** The fields of a row that must be corrected or filled in. A row in which nothing is filled in has none. */
export function wrongFields(change: AccountChange): ChangeField[] {
  const { resourceId, ...values } = read(change);
  const wrong: ChangeField[] = [];
  const isChange = Object.values(values).some((value) => value !== undefined);
  if (resourceId === undefined && isChange) wrong.push('account');
  if (resourceId !== undefined && !isChange) wrong.push(...NUMBERS);
  return [...wrong, ...NUMBERS.filter((field) => Number.isNaN(values[field]))];
}

type Accounts = NonNullable<InputOf<typeof endpoints.whatIf.whatIf>['accounts']>;

/** The changes in the form of the call. Rows without an account, or without a change, are left out. */
export function accountsInput(changes: readonly AccountChange[]): Accounts {
  return changes.flatMap((change) => {
    const { resourceId, weight, dailyCountLimit, dailyAmountLimit, closed } = read(change);
    if (resourceId === undefined || (weight ?? dailyCountLimit ?? dailyAmountLimit ?? closed) === undefined)
      return [];
    return [
      {
        resourceId,
        ...(weight === undefined ? {} : { weight }),
        ...(dailyCountLimit === undefined ? {} : { dailyCountLimit }),
        ...(dailyAmountLimit === undefined ? {} : { dailyAmountLimit }),
        ...(closed ? { closed } : {}),
      },
    ];
  });
}
