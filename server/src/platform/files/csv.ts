/** A row of a file and its position. The first record is row 1. */
export interface CsvRow {
  readonly row: number;
  readonly cells: readonly string[];
}

/**
 * Reads comma-separated text (RFC 4180: quotes, doubled quotes, line breaks inside quotes; CRLF or LF). Rows without any text are left out
 * but counted. Undefined when a quote never ends or stands inside an unquoted cell, because then the columns are not certain.
 */
export function readCsv(text: string): CsvRow[] | undefined {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let row = 1;
  const endRow = () => {
    if (cells.some((cell) => cell !== '')) rows.push({ row, cells });
    cells = [];
    row += 1;
  };
  // One cell and what ends it: a comma, the end of a line or the end of the text.
  const cell = /(?:"((?:[^"]|"")*)"[ \t]*|([^",\r\n]*))(,|\r?\n|\r|$)/y;
  while (cell.lastIndex < text.length || cells.length > 0) {
    const match = cell.exec(text);
    if (!match) return undefined;
    const [, quoted, bare, end] = match;
    cells.push(quoted === undefined ? bare!.trim() : quoted.replaceAll('""', '"').trim());
    if (end === ',') continue;
    endRow();
    if (end === '') break;
  }
  return rows;
}
