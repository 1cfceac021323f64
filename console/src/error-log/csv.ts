/** CSV as spreadsheets read it, with a mark that says UTF-8. A cell that would be a formula is made a text. */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => {
    const text = String(value);
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `\u{feff}${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}
