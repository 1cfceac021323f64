import type { Currency } from '@sangam/contract/money.ts';
import { parseBankTime } from './bank-time.ts';
import { accountTail, cleanName, cleanRef, cleanVpa, parseBalance, parseMinor } from './fields.ts';
import { search, type Line, type Pattern, type Printed } from './search.ts';
import type { FieldName } from './template.ts';

/** The cleaned value of a field. Undefined if the words found are no such value; then the next match or detail may fill the field. */
const cleaners: Readonly<Record<FieldName, (printed: string, currency: Currency) => string | undefined>> = {
  amount: (printed) => ((parseMinor(printed) ?? 0n) > 0n ? printed : undefined),
  account: accountTail,
  balance: (printed) => (parseBalance(printed) === undefined ? undefined : printed),
  ref: cleanRef,
  payer: cleanName,
  vpa: cleanVpa,
  // Only checks that it is a date: country and time of receipt do not matter for that.
  time: (printed) => (parseBankTime(printed, 'IN', new Date(0)) ? printed : undefined),
  remark: (printed) => printed.trim() || undefined,
};

export function take(
  fields: Map<FieldName, string>,
  source: ReadonlyMap<FieldName, Printed>,
  currency: Currency,
): void {
  for (const [name, printed] of source) {
    const value = fields.has(name) ? undefined : cleaners[name](printed.text, currency);
    if (value !== undefined) fields.set(name, value);
  }
}

/** Fills in what the details say. That costs as much as all the rest, so it is done only for the match that counts. */
export function fillIn(
  fields: Map<FieldName, string>,
  details: readonly Pattern[],
  line: Line,
  currency: Currency,
): void {
  for (const detail of details) {
    const isFilled = (): boolean => detail.fields.every(([name]) => fields.has(name));
    if (isFilled()) continue;
    for (const more of search(detail, line)) {
      take(fields, more.fields, currency);
      if (isFilled()) break;
    }
  }
}
