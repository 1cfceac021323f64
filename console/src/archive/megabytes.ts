const FORM = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/** Bytes as text in megabytes. */
export function megabytes(bytes: number): string {
  return bytes < 1_000_000 ? `${FORM.format(bytes / 1_000)} kB` : `${FORM.format(bytes / 1_000_000)} MB`;
}
