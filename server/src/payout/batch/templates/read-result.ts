import {
  RESULT_OUTCOMES,
  type ResultOutcome,
  type TemplateFormat,
} from '@sangam/contract/payout-templates.ts';
import { type CsvRow, readCsv } from '../../../platform/files/csv.ts';
import { readReference } from '@sangam/contract/references.ts';
import { isProblem, type Problem, problem } from '../../../platform/files/problems.ts';

type ResultFormat = NonNullable<TemplateFormat['result']>;
type Place = string | number;

/** What a bank's file says of one payout. */
export interface ResultRow {
  /** Line of the file, from 1. */
  readonly row: number;
  readonly reference: string | null;
  readonly account: string | null;
  /** Minor units of two decimals. */
  readonly amount: bigint | null;
  readonly outcome: ResultOutcome;
  readonly utr: string | null;
  readonly reason: string | null;
}

/** Whether `readResult` found problems instead of rows. */
export function isProblems(read: readonly ResultRow[] | readonly Problem[]): read is readonly Problem[] {
  return read.some(isProblem);
}

/** Reads a result file as the template describes it. Returns all problems when a row cannot be read. */
export function readResult(format: ResultFormat, text: string): readonly ResultRow[] | readonly Problem[] {
  const rows = readCsv(text);
  if (!rows) return [problem(0, 'unreadable')];
  const cell = cellsOf(
    format,
    rows.find(({ row }) => row === format.leadRows),
  );
  if (Array.isArray(cell)) return cell;
  const read = rows.filter(({ row }) => row > format.leadRows).map((row) => readRow(format, row, cell));
  if (read.length === 0) return [problem(0, 'empty')];
  const problems = read.flatMap((each) => (Array.isArray(each) ? each : []));
  return problems.length > 0 ? problems : read.flatMap((each) => (Array.isArray(each) ? [] : [each]));
}

type CellReader = (row: CsvRow, place: Place | undefined) => string | undefined;

/** A function that finds a row's cells, or the problems when the header lacks a column. */
function cellsOf(format: ResultFormat, header: CsvRow | undefined): CellReader | Problem[] {
  if (format.leadRows > 0 && !header) return [problem(format.leadRows, 'noHeader')];
  const names = header?.cells.map(plain) ?? [];
  const known = new Map(names.map((name, index) => [name, index]));
  const { reference, account, amount, utr, reason, status } = format;
  const places = [reference, account, amount, utr, reason, status].filter(
    (place) => typeof place === 'string',
  );
  const problems = places.flatMap((place) => {
    const count = names.filter((name) => name === plain(place)).length;
    return count === 1 ? [] : [problem(header!.row, count === 0 ? 'columnMissing' : 'columnTwice', place)];
  });
  if (problems.length > 0) return problems;
  return (row, place) => {
    if (place === undefined) return undefined;
    return row.cells[typeof place === 'number' ? place - 1 : known.get(plain(place))!];
  };
}

/** For comparing headers and words of status: they differ in case, spaces and signs from one export to the next. */
const plain = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/** Banks write this where there is no reason. */
const NO_REASON = new Set(['', 'na', 'nil', 'none', 'null']);

function readRow(format: ResultFormat, row: CsvRow, cell: CellReader): ResultRow | Problem[] {
  const text = (place: Place | undefined) => cell(row, place)?.replace(/^'/, '').trim() || null;
  const problems: Problem[] = [];
  const amountText = text(format.amount);
  const amount = amountText === null ? null : readRupees(amountText);
  if (format.amount !== undefined && (amount === null || amount === undefined))
    problems.push(problem(row.row, 'amountUnreadable', amountText ?? ''));
  const reference = text(format.reference);
  if (format.join === 'reference' && reference === null) problems.push(problem(row.row, 'referenceMissing'));
  const stated = text(format.reason);
  const reason = NO_REASON.has(plain(stated ?? '')) ? null : stated;
  const status = text(format.status);
  const outcome = outcomeOf(format, status, reason);
  if (!outcome) problems.push(problem(row.row, 'statusUnknown', status ?? ''));
  if (problems.length > 0) return problems;
  const utr = text(format.utr);
  return {
    row: row.row,
    reference,
    account: text(format.account),
    amount: amount ?? null,
    outcome: outcome!,
    utr: readReference(utr),
    reason,
  };
}

function outcomeOf(
  format: ResultFormat,
  status: string | null,
  reason: string | null,
): ResultOutcome | undefined {
  if (format.status === undefined) return reason === null ? 'inProgress' : 'failed';
  const wanted = plain(status ?? '');
  const outcomes = RESULT_OUTCOMES.filter((outcome) =>
    format.words[outcome]?.some((word) => plain(word) === wanted),
  );
  // Signs alone are no word.
  return wanted !== '' && outcomes.length === 1 ? outcomes[0] : undefined;
}

/** Minor units of an amount such as `1,23,456.50`; undefined when it is none. Read as digits, without floating point. */
function readRupees(text: string): bigint | undefined {
  const match = /^(?:Rs\.?|INR)?\s*(\d+)(?:\.(\d{1,2})0*)?$/i.exec(text.replaceAll(',', ''));
  return match ? BigInt(match[1]! + (match[2] ?? '').padEnd(2, '0')) : undefined;
}
