import type { UploadedFile } from '../platform/files/upload.ts';
import { holdsNul, mended } from '../platform/stored-text.ts';

/** A body that cannot be read. The answer is 400, whatever the call. */
class MalformedBody extends Error {
  readonly statusCode = 400;
}

function refuseNul(text: string): void {
  if (holdsNul(text)) throw new MalformedBody('the body contains U+0000');
}

/** A JSON body; an empty one is an empty object. */
export function readJson(text: string): unknown {
  if (text.trim() === '') return {};
  refuseNul(text);
  try {
    return JSON.parse(text, (key, value: unknown) => refusePrototype(key, mended(value)));
  } catch (cause) {
    throw cause instanceof MalformedBody ? cause : new MalformedBody('the body is not JSON', { cause });
  }
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new MalformedBody('the body names __proto__');
  return value;
}

/** Since Node 21, JSON.parse passes the source text of a primitive to the reviver; lib.es5.d.ts does not know it yet. */
type Reviver = (this: unknown, key: string, value: unknown) => unknown;
type SourceReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const rawNumbers: SourceReviver = (key, value, context) =>
  typeof value === 'number' || typeof value === 'boolean'
    ? context.source
    : refusePrototype(key, mended(value));

/** A string in valid JSON, with the colon after it if it is a name. */
const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/** How many names a flat JSON object gives, counting a repeated name each time. JSON.parse would keep only the last. */
function countNames(json: string): number {
  let names = 0;
  for (const [, colon] of json.matchAll(TEXT)) if (colon !== undefined) names += 1;
  return names;
}

/**
 * The flat fields of a signed call as raw text. Signatures cover the received text, so `10000.0` stays `10000.0`. Nulls count as absent;
 * nested values and repeated names are refused. Half surrogate pairs become U+FFFD before the signature is checked, because an order number
 * is found again only as it could be stored.
 */
export function readRawFields(text: string): Readonly<Record<string, string>> {
  refuseNul(text);
  let root: unknown;
  try {
    root = JSON.parse(text, rawNumbers as Reviver);
  } catch (cause) {
    throw cause instanceof MalformedBody ? cause : new MalformedBody('the body is not JSON', { cause });
  }
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    throw new MalformedBody('the body is not a JSON object');
  }
  const members = Object.entries(root as Record<string, unknown>).map(
    ([name, value]) => [name.toWellFormed(), value] as const,
  );
  const fields: [string, string][] = [];
  for (const [name, value] of members) {
    if (value === null) continue;
    if (typeof value !== 'string') throw new MalformedBody(`the field ${name} is not a plain value`);
    fields.push([name, value]);
  }
  if (countNames(text) !== new Set(members.map(([name]) => name)).size)
    throw new MalformedBody('a field is given twice');
  return Object.fromEntries(fields);
}

/** The flat fields of a form body. A repeated name is refused, because it would be unclear which value was signed. */
export function readFormFields(text: string): Readonly<Record<string, string>> {
  const entries = [...new URLSearchParams(text)];
  const fields = Object.fromEntries(entries);
  if (Object.keys(fields).length !== entries.length) throw new MalformedBody('a field is given twice');
  for (const [name, value] of entries) {
    refuseNul(name);
    refuseNul(value);
  }
  if (Object.hasOwn(fields, '__proto__')) throw new MalformedBody('the body names __proto__');
  return fields;
}

/** A multipart body: its fields as text, and at most one file. */
export interface Multipart {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: UploadedFile | undefined;
}

export async function readMultipart(body: Buffer, contentType: string): Promise<Multipart> {
  // Uses the reader of fetch's Response. It refuses a body that does not end with its boundary.
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch((cause: unknown) => {
      throw new MalformedBody('the body is not multipart', { cause });
    });
  const fields: Record<string, string> = Object.create(null);
  let file: UploadedFile | undefined;
  for (const [name, value] of form) {
    if (typeof value !== 'string') {
      if (file) throw new MalformedBody('more than one file');
      file = { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) };
      continue;
    }
    refuseNul(name);
    refuseNul(value);
    if (name in fields) throw new MalformedBody('a field is given twice');
    fields[name] = value;
  }
  return { fields, file };
}
