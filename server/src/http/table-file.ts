import { Readable } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { workbook } from './xlsx.ts';

type TableFormat = 'csv' | 'xlsx';

interface TableFileParts {
  /** Without its ending. */
  readonly name: string;
  readonly format: TableFormat;
  /** How many rows there will be, where that is known. */
  readonly total: number | undefined;
  /** By column: whether its cells are numbers to reckon with. All others are texts, also those of digits alone. */
  readonly numbers: readonly boolean[];
  /** The heading first. */
  readonly rows: AsyncIterable<readonly string[]>;
  /** Called when nobody reads it any more, also where nobody ever asked for its first row: `rows` would not know. */
  readonly closed: () => void;
}

/** An answer that is a file: rows as they come, never all of them in memory. A refusal comes before the first row. */
export class TableFile {
  readonly parts: TableFileParts;

  constructor(parts: TableFileParts) {
    this.parts = parts;
  }
}

const TYPES: Readonly<Record<TableFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Without it spreadsheets read the file in the machine's own code page. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Of each piece of the file, which is made in one go: some 50 rows, 1 ms. */
export const BATCH_CHARS = 32 * 1024;

/** A row that fails breaks the connection off, so that a file cut short never looks whole. */
export function sendTable(reply: FastifyReply, { parts }: TableFile): FastifyReply {
  const { name, format, total, numbers, rows, closed } = parts;
  const content =
    format === 'csv'
      ? Readable.from(csvText(rows, numbers), { objectMode: false })
      : Readable.from(workbook(rows, numbers), { objectMode: false });
  return reply
    .code(200)
    .header('content-type', TYPES[format])
    .header('content-disposition', `attachment; filename="${name}.${format}"`)
    .header('cache-control', 'no-store')
    .headers(total === undefined ? {} : { 'x-total-rows': String(total) })
    .send(content.once('close', closed));
}

async function* csvText(
  rows: AsyncIterable<readonly string[]>,
  numbers: readonly boolean[],
): AsyncIterable<string> {
  let text = BYTE_ORDER_MARK;
  for await (const row of rows) {
    text += `${row.map((cell, column) => quoted(numbers[column] ? cell : asText(cell))).join(',')}\r\n`;
    if (text.length < BATCH_CHARS) continue;
    yield text;
    text = '';
    await otherWork();
  }
  yield text;
}

/** Digits that a spreadsheet would round, or take the zeros from, written so that it reads them as text. */
function asText(cell: string): string {
  return /^(?:0\d+|\d{12,})$/.test(cell) ? `="${cell}"` : cell;
}

/** RFC 4180. A line break within a cell is never the one that ends rows. */
function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replace(/\r\n?/g, '\n').replaceAll('"', '""')}"` : cell;
}

/** Text that a spreadsheet would run as a formula, made plain text (OWASP, CSV injection). */
export function harmless(text: string): string {
  return /^[\s]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
}
