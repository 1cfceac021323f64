/** Has the browser save a file. */
export function saveFile(fileName: string, content: string, type = 'text/csv'): void {
  const address = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}

/** Saves rows of text as a CSV file that spreadsheets open as UTF-8. A text that begins like a formula is escaped. */
export function saveCsv(name: string, rows: readonly (readonly string[])[]): void {
  const text = rows.map((row) => row.map(field).join(',')).join('\r\n');
  saveFile(`${name}.csv`, `\uFEFF${text}\r\n`);
}

const field = (text: string): string =>
  `"${(/^-?[\d.,]+$/.test(text) ? text : text.replace(/^([=+\-@\t])/, "'$1")).replaceAll('"', '""')}"`;

/** A chosen file in the form that the calls take. */
export async function sentFile(file: File): Promise<{ fileName: string; content: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // In pieces: a single call with all bytes as arguments would overflow the stack.
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return { fileName: file.name, content: btoa(binary) };
}
