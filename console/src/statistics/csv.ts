/** Saves rows of text as a CSV file that spreadsheets open as UTF-8. A text that begins like a formula is escaped. */
export function saveCsv(name: string, rows: readonly (readonly string[])[]): void {
  const text = rows.map((row) => row.map(field).join(',')).join('\r\n');
  const url = URL.createObjectURL(new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}

const field = (text: string): string => `"${text.replace(/^([=+\-@\t])/, "'$1").replaceAll('"', '""')}"`;
