import type { Random } from '../demo/random.ts';

/** Texts that break readers: zero bytes, half surrogate pairs, digits of other scripts, characters that reverse the writing direction. */
const ODD_TEXTS = [
  '\u0000',
  '\ud800',
  '\u202e',
  '𝟓',
  '٣',
  '\u00a0',
  '\r\n\r\n',
  '%00',
  "';--",
  '${7*7}',
  '<script>',
  'Rs.',
  'INR 1,00,00,000.00',
  'credited',
  'debited',
  'XX0000',
  '9'.repeat(40),
  '(a+)+$'.repeat(30),
  'x'.repeat(5_000),
];

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e308,
  9_007_199_254_740_992,
  '',
  ' ',
  '-0',
  '1e309',
  'NaN',
  [],
  {},
  [[[[[[[[]]]]]]]],
  { __proto__: null, constructor: { prototype: 1 }, toString: 1 },
  ...ODD_TEXTS,
];

/** The text with one to four small damages: cut, doubled, swapped, a digit changed, something odd inserted. */
export function mutateText(random: Random, text: string): string {
  let out = text;
  for (let left = random.int(1, 4); left > 0; left -= 1) out = damage(random, out);
  return out;
}

function damage(random: Random, text: string): string {
  const at = random.int(0, text.length);
  const to = Math.min(text.length, at + random.int(1, 12));
  return random.pick([
    () => text.slice(0, at) + text.slice(to),
    () => text.slice(0, to) + text.slice(at),
    () => text.slice(0, at) + random.pick(ODD_TEXTS) + text.slice(at),
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(at, to).toUpperCase() + text.slice(to),
    () => text.slice(0, at) + Array.from(text.slice(at, to)).toReversed().join('') + text.slice(to),
    () => text.slice(0, at) + text.slice(at).replace(/\d/, String(random.int(0, 9))),
  ])();
}

/** A JSON value in which one part, however deep, is replaced, removed or doubled. */
export function mutateJson(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) return oddFor(random, value);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2)) return [...(value as unknown[]), random.pick(ODD_VALUES)];
    const at = random.int(0, value.length - 1);
    return (value as unknown[]).map((each, index) => (index === at ? mutateJson(random, each) : each));
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || random.chance(0.1))
    return { ...value, [random.pick(['__proto__', 'constructor', 'x', ''])]: random.pick(ODD_VALUES) };
  const at = random.int(0, entries.length - 1);
  if (random.chance(0.1)) return Object.fromEntries(entries.filter((_, index) => index !== at));
  return Object.fromEntries(
    entries.map(([name, each], index) => [name, index === at ? mutateJson(random, each) : each]),
  );
}

function oddFor(random: Random, value: unknown): unknown {
  return typeof value === 'string' && random.chance(0.5)
    ? mutateText(random, value)
    : random.pick(ODD_VALUES);
}

/** Damaged JSON of a value, sometimes damaged again as bytes: cut characters, missing brackets. */
export function mutatedBody(random: Random, value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(mutateJson(random, value)) ?? '', 'utf8');
  if (body.length === 0 || random.chance(0.8)) return body;
  const torn = Buffer.from(body);
  for (let left = random.int(1, 3); left > 0; left -= 1)
    torn[random.int(0, torn.length - 1)] = random.int(0, 255);
  return random.chance(0.3) ? torn.subarray(0, random.int(0, torn.length)) : torn;
}
