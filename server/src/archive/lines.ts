/*
 * Converts rows between the text format of COPY and the archive's lines of JSON. A line is an array with the text of each column, null for
 * null. COPY and JSON escape the same characters in the same way, except quotes and a few rare characters. So only bytes are changed, and
 * nothing is parsed.
 */

const [TAB, NEWLINE, QUOTE, BACKSLASH, SPACE] = [9, 10, 34, 92, 32];
const [COMMA, OPEN, CLOSE, LETTER_N, LETTER_U, LETTER_V] = [44, 91, 93, 78, 117, 118];
const NULL_OF_COPY = Buffer.from('\\N');
const NULL = Buffer.from('null');
const HEX = '0123456789abcdef';

/** The most bytes that one byte of COPY's text can become. */
const WIDEST = 6;

/** Makes lines from rows, and keeps its memory for the next rows. */
export class LineWriter {
  #out = Buffer.alloc(0);
  #end = 0;

  /** Turns rows from COPY into lines, without the last line end. The answer is valid only until the next call. */
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

  /** Converts one field. Answers the position of the tab or line end behind it. */
  #field(rows: Buffer, from: number): number {
    const out = this.#out;
    let [at, end] = [from, this.#end];
    // COPY writes null as \N. A text with these two characters would have two backslashes.
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
        // COPY writes a vertical tab as \v, and other control characters unescaped.
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

/** Writes rows of texts in COPY's format. */
export function copyRows(rows: readonly (readonly (string | null)[])[]): Buffer {
  const field = (text: string | null) =>
    text === null ? '\\N' : text.replaceAll(/[\\\t\n\r]/g, (sign) => LETTERS[sign]!);
  return Buffer.from(rows.map((row) => `${row.map(field).join('\t')}\n`).join(''));
}

/**
 * From lines made by `LineWriter`, picks those whose text at `place` is in `wanted`, in COPY's format. Answers them and their number.
 * Nothing is parsed.
 */
export function copyRowsOf(
  lines: Buffer,
  place: number,
  wanted: ReadonlySet<string>,
): { readonly rows: Buffer; readonly count: number } {
  // A row is never longer than its line with a line end.
  const out = Buffer.allocUnsafe(lines.length + 1);
  let [end, count] = [0, 0];
  for (let at = 0; at < lines.length;) {
    const start = end;
    let isWanted = false;
    for (let field = 0; lines[at] === (field === 0 ? OPEN : COMMA); field += 1) {
      const from = end;
      at += 1;
      if (lines[at] === QUOTE) [at, end] = unquote(lines, at + 1, out, end);
      else {
        end += NULL_OF_COPY.copy(out, end);
        at += NULL.length;
      }
      if (field === place) isWanted = wanted.has(out.toString('latin1', from, end));
      out[end++] = TAB;
    }
    out[end - 1] = NEWLINE;
    // Skips the end of the array and of the line.
    at += 2;
    if (isWanted) count += 1;
    else end = start;
  }
  return { rows: out.subarray(0, end), count };
}

/** Writes a JSON text that begins at `from` in COPY's format. Answers the position behind its quote and the end of the written bytes. */
function unquote(lines: Buffer, from: number, out: Buffer, to: number): [number, number] {
  let [at, end] = [from, to];
  for (let byte = lines[at]!; byte !== QUOTE; byte = lines[++at]!) {
    if (byte === BACKSLASH) {
      const next = lines[++at]!;
      if (next === LETTER_U) {
        byte = Number.parseInt(lines.toString('latin1', at + 1, at + 5), 16);
        at += 4;
      } else if (next === QUOTE) byte = next;
      else {
        out[end++] = byte;
        byte = next;
      }
    }
    out[end++] = byte;
  }
  return [at + 1, end];
}
