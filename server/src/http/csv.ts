import { Readable } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** An answer that is a file: rows as they come, never all of them in memory. A refusal comes before the first row. */
export class Csv {
  readonly fileName: string;
  /** How many rows there will be, where that is known. */
  readonly total: number | undefined;
  readonly rows: AsyncIterable<readonly string[]>;
  /** Called when nobody reads it any more, also where nobody ever asked for its first row: `rows` would not know. */
  readonly closed: () => void;

  constructor(
    fileName: string,
    total: number | undefined,
    rows: AsyncIterable<readonly string[]>,
    closed: () => void,
  ) {
    this.fileName = fileName;
    this.total = total;
    this.rows = rows;
    this.closed = closed;
  }
}

/** Without it spreadsheets read the file in the machine's own code page. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Of each piece of the file, which is made in one go: some 50 rows, 1 ms. */
const BATCH_CHARS = 32 * 1024;

/** A row that fails breaks the connection off, so that a file cut short never looks whole. */
export function sendCsv(reply: FastifyReply, { fileName, total, rows, closed }: Csv): FastifyReply {
  const text = Readable.from(textOf(rows), { objectMode: false }).once('close', closed);
  return reply
    .code(200)
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header('cache-control', 'no-store')
    .headers(total === undefined ? {} : { 'x-total-rows': String(total) })
    .send(text);
}

async function* textOf(rows: AsyncIterable<readonly string[]>): AsyncIterable<string> {
  let text = BYTE_ORDER_MARK;
  for await (const row of rows) {
    text += `${row.map(quoted).join(',')}\r\n`;
    if (text.length < BATCH_CHARS) continue;
    yield text;
    text = '';
    await otherWork();
  }
  yield text;
}

/** RFC 4180. A line break within a cell is never the one that ends rows. */
function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replace(/\r\n?/g, '\n').replaceAll('"', '""')}"` : cell;
}

/** Text that a spreadsheet would run as a formula, made plain text (OWASP, CSV injection). */
export function harmless(text: string): string {
  return /^[\s]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
}
