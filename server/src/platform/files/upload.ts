/** A file that a user uploaded. */
export interface UploadedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Whether the name ends with one of the types (`csv`, `r###`: `#` is a digit). */
export function hasType(name: string, types: readonly string[]): boolean {
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  return types.some((type) => new RegExp(`^${type.replaceAll('#', '\\d')}$`).test(ending));
}

/** The file's text. Undefined when it is not text: spreadsheets, archives and pictures hold NUL bytes or invalid UTF-8. */
export function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
