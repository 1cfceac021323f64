import type { endpoints } from 'virtual:endpoints';
import type { InputOf } from '../http/call-types.ts';

/** One row of the what-if: an account, and what is different of it. Texts are as typed; an empty one changes nothing. */
export interface AccountChange {
  /** Only for the screen. */
  readonly key: number;
  readonly account: { readonly value: string; readonly label: string } | undefined;
  readonly weight: string;
  readonly dailyCountLimit: string;
  readonly closed: boolean;
}

export const newChange = (key: number): AccountChange => ({
  key,
  account: undefined,
  weight: '',
  dailyCountLimit: '',
  closed: false,
});

export type ChangeField = 'account' | 'weight' | 'dailyCountLimit';

const MOST_WEIGHT = 1_000;
const MOST_DAILY = 999_999_999;

/** Undefined for an empty text, NaN for a text that is no whole number up to `most`. */
function whole(text: string, most: number): number | undefined {
  const digits = text.replace(/[\s,，]/g, '');
  if (digits === '') return undefined;
  return /^\d{1,9}$/.test(digits) && Number(digits) <= most ? Number(digits) : Number.NaN;
}

function read({ account, weight, dailyCountLimit, closed }: AccountChange) {
  return {
    resourceId: account?.value,
    // A closed account gets no orders, whatever its weight and limit are.
    weight: closed ? undefined : whole(weight, MOST_WEIGHT),
    dailyCountLimit: closed ? undefined : whole(dailyCountLimit, MOST_DAILY),
    closed: closed || undefined,
  };
}

/** The fields of a row that must be corrected or filled in. A row in which nothing is filled in has none. */
export function wrongFields(change: AccountChange): ChangeField[] {
  const { resourceId, ...values } = read(change);
  const wrong: ChangeField[] = [];
  const isChange = Object.values(values).some((value) => value !== undefined);
  if (resourceId === undefined && isChange) wrong.push('account');
  if (resourceId !== undefined && !isChange) wrong.push('weight', 'dailyCountLimit');
  if (Number.isNaN(values.weight)) wrong.push('weight');
  if (Number.isNaN(values.dailyCountLimit)) wrong.push('dailyCountLimit');
  return wrong;
}

type Accounts = NonNullable<InputOf<typeof endpoints.whatIf.whatIf>['accounts']>;

/** The changes in the form of the call. Rows without an account, or without a change, are left out. */
export function accountsInput(changes: readonly AccountChange[]): Accounts {
  return changes.flatMap((change) => {
    const { resourceId, weight, dailyCountLimit, closed } = read(change);
    if (resourceId === undefined || (weight ?? dailyCountLimit ?? closed) === undefined) return [];
    return [
      {
        resourceId,
        ...(weight === undefined ? {} : { weight }),
        ...(dailyCountLimit === undefined ? {} : { dailyCountLimit }),
        ...(closed ? { closed } : {}),
      },
    ];
  });
}
