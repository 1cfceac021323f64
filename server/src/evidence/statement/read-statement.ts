import { isProblem, problem, type Problem } from '../../platform/files/problems.ts';
import { type CsvRow, readCsv } from '../../platform/files/csv.ts';
import { normaliseReference, readReference } from '@sangam/contract/references.ts';
import { parseBankTime } from '../templates/bank-time.ts';
import { parseMinor } from '../templates/fields.ts';
import type { Direction } from '../templates/template.ts';

/** A movement as the bank's statement lists it. */
export interface StatementLine {
  readonly row: number;
  /** YYYY-MM-DD as printed. */
  readonly day: string;
  readonly narration: string;
  /** Upper case. From the reference column; otherwise what looks like a reference in the narration. */
  readonly reference: string | null;
  readonly direction: Direction;
  /** Minor units. */
  readonly amount: bigint;
  readonly balance: bigint | null;
}

/** Column names that banks use, in lower case, without dots and brackets. */
const COLUMNS = {
  date: [
    'date',
    'txn date',
    'transaction date',
    'tran date',
    'posting date',
    'post date',
    'value date',
    'completion time',
  ],
  narration: [
    'narration',
    'description',
    'particulars',
    'remarks',
    'details',
    'transaction remarks',
    'transaction particulars',
  ],
  reference: [
    'chq/ref number',
    'chq/ref no',
    'ref no/cheque no',
    'ref no',
    'reference',
    'reference no',
    'utr',
    'utr number',
    'rrn',
    'transaction id',
    'cheque no',
    'chq no',
    'receipt no',
  ],
  debit: [
    'debit',
    'withdrawal',
    'withdrawals',
    'withdrawal amt',
    'withdrawal amount',
    'withdrawal amount inr',
    'debit amount',
    'dr',
    'dr amount',
    'withdrawn',
    'paid out',
  ],
  credit: [
    'credit',
    'deposit',
    'deposits',
    'deposit amt',
    'deposit amount',
    'deposit amount inr',
    'credit amount',
    'cr',
    'cr amount',
    'paid in',
  ],
  amount: ['amount', 'amount inr', 'transaction amount'],
  side: ['dr/cr', 'cr/dr', 'type', 'transaction type', 'dr / cr', 'debit/credit'],
  balance: [
    'balance',
    'closing balance',
    'balance amount',
    'running balance',
    'balance inr',
    'available balance',
  ],
} as const;
type Column = keyof typeof COLUMNS;

/** The header must be in this many rows. Banks print name and address above it. */
const HEADER_WITHIN = 40;
const MAX_LINES = 20_000;
const REFERENCE = /\b(\d{12}|[A-Z]{4}[A-Z0-9]{12,20}|[A-Z]\d{10,16})\b/;
/** Commas group thousands or lakhs. Any other comma could be a decimal comma. */
const GROUPED = /^[^,]*$|^\D*(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3})(?![\d,])/;
/** What banks write in a column of amounts where no money moved. */
const NO_AMOUNT = /^(?:-*|n\.?a\.?|nil)$/i;

/** The movements of a statement, or the problems of the file. Dates have the day first, as Indian and Kenyan banks write them. */
export function readStatement(text: string, country: 'IN' | 'KE'): StatementLine[] | Problem[] {
  const rows = readCsv(text.replace(/^\uFEFF/, ''));
  if (!rows) return [problem(0, 'unreadable')];
  const found = rows.slice(0, HEADER_WITHIN).map(columnsOf);
  const at = found.findIndex(isWhole);
  const columns = found[at];
  if (!columns) return [problem(0, 'statementColumns')];
  if (rows.length - at > MAX_LINES) return [problem(0, 'entriesTooMany', String(MAX_LINES))];
  const read = rows.slice(at + 1).flatMap((row) => readRow(row, columns, country));
  const problems = read.filter(isProblem);
  if (problems.length > 0) return problems;
  return read.length === 0 ? [problem(0, 'empty')] : (read as StatementLine[]);
}

function columnsOf({ cells }: CsvRow): Partial<Record<Column, number>> {
  const names = cells.map((cell) => cell.toLowerCase().replace(/[.()]/g, ' ').replace(/\s+/g, ' ').trim());
  const columns: Partial<Record<Column, number>> = {};
  for (const [column, known] of Object.entries(COLUMNS) as [Column, readonly string[]][]) {
    // The names are in the order of preference: the date of the transaction before the value date.
    const name = known.find((each) => names.includes(each));
    if (name !== undefined) columns[column] = names.indexOf(name);
  }
  return columns;
}

const isWhole = (columns: Partial<Record<Column, number>>): boolean =>
  columns.date !== undefined &&
  ((columns.debit !== undefined && columns.credit !== undefined) ||
    (columns.amount !== undefined && columns.side !== undefined));

function readRow(
  { row, cells }: CsvRow,
  columns: Partial<Record<Column, number>>,
  country: 'IN' | 'KE',
): (StatementLine | Problem)[] {
  const cell = (column: Column): string =>
    columns[column] === undefined ? '' : (cells[columns[column]] ?? '');
  /** Null where no money moved; undefined where a text is no amount. */
  const read = (column: Column): bigint | null | undefined => {
    const printed = cell(column).replace(/^(?:rs\.?|inr|₹|kes|ksh)\s*/i, '');
    if (NO_AMOUNT.test(printed)) return null;
    const minor = GROUPED.test(printed) ? parseMinor(printed) : undefined;
    return minor === 0n ? null : minor;
  };
  const [debit, credit, amount] = [read('debit'), read('credit'), read('amount')].map(
    (sum) => sum ?? undefined,
  );
  const moment = parseBankTime(cell('date'), country, new Date(0));
  const unread = (['debit', 'credit', 'amount'] as const).find((column) => read(column) === undefined);
  // Titles and sums above and below the movements have no date.
  if (moment && unread) return [problem(row, 'amountUnreadable', cell(unread))];
  // Lines that carry a balance forward, and footers, move no money.
  if (debit === undefined && credit === undefined && amount === undefined) return [];
  if (!moment) return [problem(row, 'dateUnreadable', cell('date'))];
  if (debit !== undefined && credit !== undefined) return [problem(row, 'bothSides')];
  const direction =
    debit !== undefined ? 'debit' : credit !== undefined ? sideOf(credit) : sideNamed(cell('side'));
  if (!direction) return [problem(row, 'sideUnknown', cell('side'))];
  const sum = credit ?? debit ?? amount!;
  const narration = cell('narration');
  return [
    {
      row,
      day: dayOf(moment.at, country),
      narration,
      reference: referenceOf(cell('reference'), narration, country),
      direction,
      amount: sum < 0n ? -sum : sum,
      balance: read('balance') ?? null,
    },
  ];
}

/** A deposit below zero was taken back. Of withdrawals the sign says nothing: some banks write them all with a minus. */
const sideOf = (deposit: bigint): Direction => (deposit < 0n ? 'debit' : 'credit');

function sideNamed(side: string): Direction | undefined {
  const named = /^(?:(c|cr|credit|deposit)|d|dr|debit|withdrawal)s?$/i.exec(side.replace(/[^a-z]/gi, ''));
  return named ? (named[1] ? 'credit' : 'debit') : undefined;
}

/** The reference of the column for it, or what looks like one in the narration. */
function referenceOf(stated: string, narration: string, country: 'IN' | 'KE'): string | null {
  const reference = normaliseReference(stated);
  const receipt = country === 'KE' ? readReference(reference, 'KES') : null;
  if (receipt !== null || REFERENCE.test(reference)) return receipt ?? reference;
  return REFERENCE.exec(narration.toUpperCase())?.[1] ?? null;
}

/** The day of a moment where the bank is. */
export function dayOf(at: Date, country: 'IN' | 'KE'): string {
  const minutes = country === 'KE' ? 180 : 330;
  return new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, 10);
}
