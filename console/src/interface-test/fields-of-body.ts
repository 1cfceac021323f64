/**
 * The fields of a request as they were written: JSON of one level, or a form. Numbers and booleans of JSON keep their raw text,
 * because the signature covers that text: 10.0 is not 10.
 */
export function fieldsOfBody(body: string): Record<string, string> {
  const text = body.trim();
  if (!text.startsWith('{')) return Object.fromEntries(new URLSearchParams(text.replace(/^\?/, '')));
  const fields: Record<string, string> = {};
  // The third parameter of a reviver carries the source text of numbers and booleans.
  JSON.parse(text, function (this: unknown, key: string, value: unknown, context?: { source?: string }) {
    if (key !== '' && value !== null && typeof value !== 'object')
      fields[key] =
        typeof value === 'string' ? value : (context?.source ?? String(value as number | boolean));
    return value;
  } as (key: string, value: unknown) => unknown);
  return fields;
}
