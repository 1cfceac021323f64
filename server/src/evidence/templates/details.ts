import type { Currency } from '@sangam/contract/money.ts';
import { parseBankTime } from './bank-time.ts';
import { accountTail, cleanName, cleanRef, cleanVpa, parseBalance, parseMinor } from './fields.ts';
import { search, type Line, type Pattern, type Printed } from './search.ts';
import type { FieldName, MessageTemplate } from './template.ts';

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

/** What a bank states once. A stranger may state it as well. */
const STATED_ONCE = ['ref', 'balance', 'time'] as const;
type StatedOnce = (typeof STATED_ONCE)[number];
const isStatedOnce = (name: FieldName): name is StatedOnce =>
  name === 'ref' || name === 'balance' || name === 'time';

interface Statement extends Printed {
  readonly value: string;
}
type Statements = Readonly<Record<StatedOnce, Statement[]>>;

/** Fills in what the details say. That costs as much as all the rest, so it is done only for the match that counts. */
export function fillIn(
  fields: Map<FieldName, string>,
  details: readonly Pattern[],
  line: Line,
  { currency, rule }: Pick<MessageTemplate, 'currency' | 'rule'>,
): void {
  const statements: Statements = { ref: [], balance: [], time: [] };
  for (const detail of details) {
    const isFilled = (): boolean => detail.fields.every(([name]) => fields.has(name));
    if (isFilled()) continue;
    for (const more of search(detail, line)) {
      for (const [name, printed] of more.fields) {
        const value = fields.has(name) ? undefined : cleaners[name](printed.text, currency);
        if (value === undefined) continue;
        if (isStatedOnce(name)) addStatement(statements[name], { ...printed, value });
        else fields.set(name, value);
      }
      if (isFilled()) break;
    }
  }
  for (const name of STATED_ONCE) {
    const value = fields.has(name) ? undefined : agreed[name](statements[name], line.text, rule);
    if (value !== undefined) fields.set(name, value);
  }
}

/** Of two statements about the same words, that of the earlier pattern counts. */
function addStatement(statements: Statement[], added: Statement): void {
  if (statements.every(({ start, end }) => end <= added.start || added.end <= start)) statements.push(added);
}

/** What comes after these words is a stranger's. ('Info' is not among them: behind it banks print the reference.) */
const REMARK = /\b(?:remarks?|narration|note)\b|$/i;
const NOT_OWN = '(?! (?:your|ur)\\b)';
const STRANGER = {
  credit: new RegExp(`\\b(?:from|frm|by|sender)\\b${NOT_OWN}`, 'i'),
  debit: new RegExp(`\\b(?:from|frm|by|to)\\b${NOT_OWN}`, 'i'),
};

/** Statements that agree count. Of others the first counts, but only if no stranger's name can stand before it. A remark states nothing. */
function first(
  statements: readonly Statement[],
  text: string,
  rule: MessageTemplate['rule'],
): string | undefined {
  const remarkAt = text.search(REMARK);
  const [earliest, ...others] = statements
    .filter(({ start }) => start < remarkAt)
    .toSorted((a, b) => a.start - b.start);
  if (!earliest || others.every(({ value }) => value === earliest.value)) return earliest?.value;
  const stranger = rule === 'debit' ? STRANGER.debit : STRANGER.credit;
  return stranger.test(text.slice(0, earliest.start)) ? undefined : earliest.value;
}

const LESSER = /\b(?:tot(?:al)?|ledger|a\/c)\b/i;

/** A balance stands behind names and remarks. So balances that differ count for nothing, unless the bank prints a total as well. */
function balance(statements: readonly Statement[], text: string): string | undefined {
  const available = statements.filter(
    ({ start }) => !LESSER.test(text.slice(Math.max(0, start - 20), start)),
  );
  const [one, ...others] = available.length > 0 ? available : statements;
  return one && others.every(({ value }) => parseBalance(value) === parseBalance(one.value))
    ? one.value
    : undefined;
}

const agreed: Readonly<
  Record<
    StatedOnce,
    (statements: Statement[], text: string, rule: MessageTemplate['rule']) => string | undefined
  >
> = { ref: first, balance, time: first };
