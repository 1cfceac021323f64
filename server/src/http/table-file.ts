import { Readable } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { workbook } from './xlsx.ts';

type TableFormat = 'csv' | 'xlsx';

interface TableFileParts {
  /** Without its extension. */
  readonly name: string;
  readonly format: TableFormat;
  /** How many rows there will be, if known. */
  readonly total: number | undefined;
  /** By column: whether its cells are numbers to calculate with. All other cells are text, even when they are digits only. */
  readonly numbers: readonly boolean[];
  /** The heading is the first row. */
  readonly rows: AsyncIterable<readonly string[]>;
  /** Called when nobody reads the file any more, even if nobody asked for the first row. In that case `rows` would not notice. */
  readonly closed: () => void;
}

/** An answer that is a file. Rows are sent as they come; they are never all in memory. A refusal must come before the first row. */
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

/** Without this mark spreadsheets read the file in the machine's own code page. */
export const BYTE_ORDER_MARK = '\uFEFF';
/** The size of each piece, which is made in one go: about 50 rows, 1 ms. */
export const BATCH_CHARS = 32 * 1024;

/** Sends a table as a file. When a row fails, the connection is cut, so that a truncated file never looks complete. */
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
    text += csvLine(row, numbers);
    if (text.length < BATCH_CHARS) continue;
    yield text;
    text = '';
    await otherWork();
  }
  yield text;
}

/** A line of a CSV file, with its end. `numbers` says by column whether its cells are numbers to calculate with. */
export function csvLine(row: readonly string[], numbers: readonly boolean[]): string {
  return `${row.map((cell, column) => quoted(numbers[column] ? cell : asText(cell))).join(',')}\r\n`;
}

/** What a spreadsheet would round, read as 12 × 10⁵, or strip of its leading zeros is written so that it reads text. */
function asText(cell: string): string {
  return /^(?:0\d+|\d{12,}|\d+E\d+)$/i.test(cell) ? `="${cell}"` : cell;
}

/** Quotes a cell by RFC 4180. A line break within a cell is always LF, while rows end with CRLF. */
function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replace(/\r\n?/g, '\n').replaceAll('"', '""')}"` : cell;
}

/** Turns text that a spreadsheet would run as a formula into plain text (OWASP, CSV injection). */
export function harmless(text: string): string {
  return /^[\s]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
}
