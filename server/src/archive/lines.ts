/*
 * Rows between the text format of COPY and the archive's lines of JSON. A line is an array with the text of each column, null for null.
 * COPY escapes what JSON escapes, in the same way, but for quotes and rare signs; so bytes are changed and nothing is parsed.
 */

const [TAB, NEWLINE, QUOTE, BACKSLASH, SPACE] = [9, 10, 34, 92, 32];
const [COMMA, OPEN, CLOSE, LETTER_N, LETTER_V] = [44, 91, 93, 78, 118];
const NULL = Buffer.from('null');
const HEX = '0123456789abcdef';

/** A byte of COPY's text becomes at most so many. */
const WIDEST = 6;

/** Makes lines of rows; keeps the memory for the next ones. */
export class LineWriter {
  #out = Buffer.alloc(0);
  #end = 0;

  /** Rows as COPY made them, to lines without the last one's end. What is answered holds until the next call. */
  lines(rows: Buffer): Buffer {
    if (this.#out.length < WIDEST * rows.length + WIDEST)
      this.#out = Buffer.alloc(2 * WIDEST * rows.length + WIDEST);
    const out = this.#out;
    this.#end = 0;
    out[this.#end++] = OPEN;
    const last = rows.length - 1;
    for (let at = 0; at <= last; at += 1) {
      at = this.#field(rows, at);
      if (rows[at] === TAB) out[this.#end++] = COMMA;
      else {
        out[this.#end++] = CLOSE;
        if (at < last) {
          out[this.#end++] = NEWLINE;
          out[this.#end++] = OPEN;
        }
      }
    }
    return out.subarray(0, this.#end);
  }

  /** Answers the place of the tab or the end of line behind the field. */
  #field(rows: Buffer, from: number): number {
    const out = this.#out;
    let [at, end] = [from, this.#end];
    // A backslash and an N that nothing escapes: null. As a text it would have two.
    if (rows[at] === BACKSLASH && rows[at + 1] === LETTER_N) {
      NULL.copy(out, end);
      this.#end = end + NULL.length;
      return at + 2;
    }
    out[end++] = QUOTE;
    for (let byte = rows[at]!; byte !== TAB && byte !== NEWLINE; byte = rows[++at]!) {
      if (byte === BACKSLASH && rows[at + 1] !== LETTER_V) {
        out[end++] = byte;
        out[end++] = rows[++at]!;
      } else if (byte === BACKSLASH || byte < SPACE) {
        // COPY writes a vertical tab as \v, and other signs as they are.
        end += out.write(byte === BACKSLASH ? '\\u000b' : unicodeOf(byte), end, 'latin1');
        if (byte === BACKSLASH) at += 1;
      } else {
        if (byte === QUOTE) out[end++] = BACKSLASH;
        out[end++] = byte;
      }
    }
    out[end++] = QUOTE;
    this.#end = end;
    return at;
  }
}

const unicodeOf = (byte: number) => `\\u00${HEX[byte >> 4]!}${HEX[byte & 15]!}`;

/** The texts of a line. */
export const textsOf = (line: string): (string | null)[] => JSON.parse(line) as (string | null)[];

const LETTERS: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Rows of texts, as COPY reads them. */
export function copyRows(rows: readonly (readonly (string | null)[])[]): Buffer {
  const field = (text: string | null) =>
    text === null ? '\\N' : text.replaceAll(/[\\\t\n\r]/g, (sign) => LETTERS[sign]!);
  return Buffer.from(rows.map((row) => `${row.map(field).join('\t')}\n`).join(''));
}
