import { pipeline, Readable } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** Limits of one sheet in spreadsheet programs. */
const SHEET_ROWS = 1_048_576;
const CELL_CHARS = 32_767;
/** The size of each piece of a sheet, which is made in one go. */
const BATCH_CHARS = 32 * 1024;

const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/**
 * Writes rows as an XLSX workbook (ECMA-376), piece by piece; only the file's own table of contents is kept in memory. Rows beyond the
 * limit of a sheet go to further sheets. The first row is the heading. `numbers`: by column, whether its cells are numbers.
 */
export async function* workbook(
  rows: AsyncIterable<readonly string[]>,
  numbers: readonly boolean[],
): AsyncIterable<Uint8Array> {
  const zip = new Zip();
  const reader = rows[Symbol.asyncIterator]();
  const heading = await reader.next();
  const more = { row: heading.done ? undefined : heading };
  let sheets = 0;
  try {
    do {
      sheets += 1;
      yield* zip.file(`xl/worksheets/sheet${sheets}.xml`, sheet(reader, numbers, more));
    } while (more.row !== undefined);
  } finally {
    // When the reader stops, the rows must end too.
    await reader.return?.();
  }
  const each = Array.from({ length: sheets }, (_, index) => index + 1);
  const parts = {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${each.map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}</Types>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${SHEETS}" xmlns:r="${RELATIONS}"><sheets>${each.map((n) => `<sheet name="${n}" sheetId="${n}" r:id="rId${n}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${each.map((n) => `<Relationship Id="rId${n}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${n}.xml"/>`).join('')}</Relationships>`,
  };
  for (const [name, text] of Object.entries(parts)) yield* zip.file(name, [text]);
  yield zip.end();
}

type Rows = AsyncIterator<readonly string[]>;
/** The row that was read and is not written yet. */
interface More {
  row: IteratorYieldResult<readonly string[]> | undefined;
}

async function* sheet(reader: Rows, numbers: readonly boolean[], more: More): AsyncIterable<string> {
  let text = `${HEAD}<worksheet xmlns="${SHEETS}"><sheetData>`;
  for (let count = 0; more.row !== undefined && count < SHEET_ROWS; count += 1) {
    text += `<row>${more.row.value.map((value, column) => cell(value, numbers[column] === true)).join('')}</row>`;
    const next = await reader.next();
    more.row = next.done ? undefined : next;
    if (text.length < BATCH_CHARS) continue;
    yield text;
    text = '';
    await otherWork();
  }
  yield `${text}</sheetData></worksheet>`;
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Characters that XML cannot hold: control characters and half surrogate pairs. */
const UNSAYABLE = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/gu;

function cell(value: string, isNumber: boolean): string {
  if (value === '') return '<c/>';
  // Spreadsheet programs keep 15 digits of a number.
  if (isNumber && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value) && value.replace(/\D/g, '').length <= 15)
    return `<c><v>${value}</v></c>`;
  const text = value
    .slice(0, CELL_CHARS)
    .replace(UNSAYABLE, '')
    .replace(/[&<>]/g, (mark) => ESCAPED[mark]!);
  return `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** Bit 3: sizes come after each file's content. Bit 11: names are UTF-8. */
const FLAGS = 0x08_08;
const DEFLATED = 8;
const VERSION = 20;
/** 1 January 1980, the first day that the format has: the file carries no date. */
const NO_DATE = 0x00_21;
/** Above it, sizes would need another form of the format. */
const MOST_BYTES = 0xff_ff_ff_ff;

/** Writes a ZIP file from front to back (APPNOTE 6.3). */
class Zip {
  private offset = 0;
  private readonly entries: Buffer[] = [];

  async *file(name: string, content: Iterable<string> | AsyncIterable<string>): AsyncIterable<Uint8Array> {
    const start = this.offset;
    const path = Buffer.from(name);
    let checksum = 0;
    let size = 0;
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04_03_4b_50, 0);
    head.writeUInt16LE(VERSION, 4);
    head.writeUInt16LE(FLAGS, 6);
    head.writeUInt16LE(DEFLATED, 8);
    head.writeUInt16LE(NO_DATE, 12);
    head.writeUInt16LE(path.length, 26);
    yield this.passed(head);
    yield this.passed(path);
    async function* counted() {
      for await (const text of content) {
        const bytes = Buffer.from(text);
        checksum = crc32(bytes, checksum);
        size += bytes.length;
        yield bytes;
      }
    }
    const before = this.offset;
    // An error in the content comes out of the stream that is read here.
    for await (const piece of pipeline(Readable.from(counted()), createDeflateRaw(), () => undefined))
      yield this.passed(piece as Buffer);
    const packed = this.offset - before;
    if (size > MOST_BYTES || this.offset > MOST_BYTES) throw new Error('a workbook of more than 4 GB');
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(0x08_07_4b_50, 0);
    sizes.writeUInt32LE(checksum, 4);
    sizes.writeUInt32LE(packed, 8);
    sizes.writeUInt32LE(size, 12);
    yield this.passed(sizes);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02_01_4b_50, 0);
    entry.writeUInt16LE(VERSION, 4);
    head.copy(entry, 6, 4, 28);
    sizes.copy(entry, 16, 4, 16);
    entry.writeUInt32LE(start, 42);
    this.entries.push(entry, path);
  }

  /** The table of contents. */
  end(): Uint8Array {
    const list = Buffer.concat(this.entries);
    const tail = Buffer.alloc(22);
    tail.writeUInt32LE(0x06_05_4b_50, 0);
    tail.writeUInt16LE(this.entries.length / 2, 8);
    tail.writeUInt16LE(this.entries.length / 2, 10);
    tail.writeUInt32LE(list.length, 12);
    tail.writeUInt32LE(this.offset, 16);
    return Buffer.concat([list, tail]);
  }

  private passed(piece: Buffer): Buffer {
    this.offset += piece.length;
    return piece;
  }
}
