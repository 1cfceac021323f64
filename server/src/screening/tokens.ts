import anyAscii from 'any-ascii';

/** Words that stand beside a name and are no part of it. */
const BESIDE = new Set(
  `mr mrs ms miss master dr prof er adv ca capt col maj gen lt sgt hon rev sir shri shree sri smt shrimati sushri
   ji jee saheb sahib haji hajji alias aka fka nee late the and of
   pvt private ltd limited llp llc inc co company corp corporation`.split(/\s+/),
);

/** `S/O`, son of, and what follows it is another person's name. */
const RELATION = /\b[sdwc]\s*\/\s*o\b.*$/;

/** The words of a name in Latin letters: lower case, without titles, marks and punctuation, whatever script it came in. */
export function tokensOf(name: string): string[] {
  // Most names are plain Latin; the table of all scripts is for the others.
  const latin = /^[\x20-\x7e]*$/.test(name) ? name : anyAscii(name.normalize('NFKC'));
  const words = latin
    .toLowerCase()
    .replace(RELATION, '')
    .replace(/^\s*m\s*\/\s*s\b/, '')
    .replace(/['’`]/g, '')
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  const own = words.filter((word) => !BESIDE.has(word));
  return own.length > 0 ? own : words;
}

/** One key for all spellings that `tokensOf` makes equal, in any order. */
export function nameKey(name: string): string {
  return tokensOf(name).sort().join(' ').slice(0, 256);
}

/** Spellings that no rule joins. */
const SAME: Readonly<Record<string, string>> = {
  md: 'mohamad',
  mohd: 'mohamad',
  mohamed: 'mohamad',
  mohammed: 'mohamad',
  mohammad: 'mohamad',
  muhammad: 'mohamad',
  muhammed: 'mohamad',
  mhmd: 'mohamad',
  simh: 'sing',
  simgh: 'sing',
  sinh: 'sing',
  sinha: 'sinha',
  chowdhury: 'codari',
  chaudhary: 'codari',
  choudhary: 'codari',
  chaudhari: 'codari',
  chaudhuri: 'codari',
};

const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/chh|ch/g, 'C'],
  [/ck|q/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/C/g, 'c'],
  [/x/g, 'ks'],
  [/ph/g, 'f'],
  [/([gkbdtjs])h/g, '$1'],
  [/w/g, 'v'],
  [/z/g, 'j'],
  [/m(?=[gk])/g, 'n'],
  [/aa/g, 'a'],
  [/ee|ii|ea|ie/g, 'i'],
  [/oo|ou|uu/g, 'u'],
  [/au|ow/g, 'o'],
  [/ai|ay|ei|ey/g, 'e'],
  [/y/g, 'i'],
  [/(.)\1/g, '$1'],
  [/(?<=.)h$/g, ''],
];

/** A word as it sounds, roughly: what transliterations and clerks spell differently becomes the same. */
export function fold(word: string): string {
  const known = SAME[word];
  if (known !== undefined) return known;
  let folded = word;
  for (const [pattern, by] of FOLDS) folded = folded.replace(pattern, by);
  return folded;
}

/** The consonants of a folded word, and its first letter: what a search begins with. */
export function skeleton(folded: string): string {
  const [first = ''] = folded;
  const start = /[aeiou]/.test(first) ? 'a' : first;
  return (start + folded.slice(1).replace(/[aeiouh]/g, '')).replaceAll('v', 'b').replace(/(.)\1/g, '$1');
}
