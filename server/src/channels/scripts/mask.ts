import { maskAccountNumber, maskText } from '../../platform/masking.ts';

const MASK = '***';
/** Shorter secrets are not masked: masking them would hide half of every record. */
const LEAST = 4;
/** Fields of a call's input about a person: the payee of a payout, the payer of an order. */
const PERSONS = /^(?:payee|payer|userName)/;
const LONG_NUMBER = /(?<!\d)\d{9,17}(?!\d)/g;
const TELLING_HEADERS = /^(?:authorization|cookie|set-cookie|x-api-key|x-client-secret)$/i;

/**
 * Removes secrets from what a call's record keeps, at any depth: as they are, and as they are written in addresses and in
 * base64. What a script computes from a secret (a signature) is not a secret.
 */
export function maskSecrets<Value>(value: Value, secrets: readonly string[]): Value {
  const text = without(secrets);
  return mapTexts(value, text, (name, inner) => (TELLING_HEADERS.test(name) ? MASK : text(inner)));
}

/**
 * Removes personal data from a call's record: the given words, and whatever looks like a VPA, a phone number or an account
 * number, of which the last four digits stay.
 */
export function maskPersons<Value>(value: Value, words: readonly string[]): Value {
  const text = without(words);
  const shown = (plain: string) => maskText(text(plain), null).replace(LONG_NUMBER, maskAccountNumber);
  return mapTexts(value, shown, (_name, inner) => shown(inner));
}

/** All texts that a script was given about its payee or payer, whatever the field's name. */
export function personsIn(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, part]) =>
    PERSONS.test(name) ? textsIn(part) : personsIn(part),
  );
}

function textsIn(part: unknown): string[] {
  if (typeof part === 'string') return [part];
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(textsIn) : [];
}

/** Replaces these words in a text, in every form in which they are written. */
function without(words: readonly string[]): (plain: string) => string {
  const forms = [
    ...new Set(
      words
        .filter((word) => word.length >= LEAST)
        .flatMap((word) => [
          word,
          encodeURIComponent(word),
          Buffer.from(word).toString('base64'),
          Buffer.from(word).toString('hex'),
        ]),
    ),
  ].toSorted((a, b) => b.length - a.length);
  return (plain) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), plain);
}

/** The same value with every text in it changed, names of fields too. `named` changes a text that is the value of a field. */
function mapTexts<Value>(
  value: Value,
  text: (plain: string) => string,
  named: (name: string, plain: string) => string,
): Value {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return text(part);
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, inner]) => [
        text(name),
        typeof inner === 'string' ? named(name, inner) : walk(inner),
      ]),
    );
  };
  return walk(value) as Value;
}
