import { isProblem, problem, type Problem } from '../../platform/files/problems.ts';
import { type CsvRow, readCsv } from '../../platform/files/csv.ts';
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

/** The movements of a statement, or the problems of the file. Dates have the day first, as Indian and Kenyan banks write them. */
export function readStatement(text: string, country: 'IN' | 'KE'): StatementLine[] | Problem[] {
  const rows = readCsv(text.replace(/^\uFEFF/, ''));
  if (!rows) return [problem(0, 'unreadable')];
  const found = rows.slice(0, HEADER_WITHIN).map(columnsOf);
  const at = found.findIndex(isWhole);
  const columns = found[at];
  if (!columns) return [problem(0, 'columnMissing', 'date, debit, credit')];
  if (rows.length - at > MAX_LINES) return [problem(0, 'countDiffers', `> ${MAX_LINES}`)];
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
  const money = (column: Column): bigint | undefined => {
    const printed = cell(column).replace(/^(?:rs\.?|inr|₹|kes|ksh)\s*/i, '');
    const minor = parseMinor(printed);
    return minor === undefined || minor === 0n ? undefined : minor;
  };
  const debit = money('debit');
  const credit = money('credit');
  const amount = money('amount');
  // Lines that carry a balance forward, and footers, move no money.
  if (debit === undefined && credit === undefined && amount === undefined) return [];
  const moment = parseBankTime(cell('date'), country, new Date(0));
  if (!moment) return [problem(row, 'fieldWrong', `date ${cell('date')}`)];
  if (debit !== undefined && credit !== undefined) return [problem(row, 'fieldWrong', 'debit, credit')];
  const side = cell('side').toLowerCase();
  const isCredit = credit !== undefined || (debit === undefined && /^(?:c|deposit)/.test(side));
  const sum = credit ?? debit ?? amount!;
  const narration = cell('narration');
  const stated = cell('reference')
    .replace(/[\s-]/g, '')
    .toUpperCase()
    .replace(/^0{4}(?=\d{12}$)/, '');
  const carried = REFERENCE.exec(narration.toUpperCase())?.[1];
  return [
    {
      row,
      day: dayOf(moment.at, country),
      narration,
      reference: REFERENCE.test(stated) ? stated : (carried ?? null),
      direction: isCredit ? 'credit' : 'debit',
      amount: sum < 0n ? -sum : sum,
      balance: money('balance') ?? null,
    },
  ];
}

/** The day of a moment where the bank is. */
export function dayOf(at: Date, country: 'IN' | 'KE'): string {
  const minutes = country === 'KE' ? 180 : 330;
  return new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, 10);
}
