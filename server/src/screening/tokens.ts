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

/** Spellings of one sound, step by step: what the texts found become. */
const FOLDS: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
  [/c(?=[eiy])/g, { c: 's' }],
  [/chh?|ck|[cqx]/g, { chh: 'c', ch: 'c', ck: 'k', c: 'k', q: 'k', x: 'ks' }],
  [
    /ph|[gkbdtjs]h|[wz]|m(?=[gk])|aa/g,
    {
      ph: 'f',
      gh: 'g',
      kh: 'k',
      bh: 'b',
      dh: 'd',
      th: 't',
      jh: 'j',
      sh: 's',
      w: 'v',
      z: 'j',
      m: 'n',
      aa: 'a',
    },
  ],
  [/ee|ii|ea|ie|oo|ou|uu/g, { ee: 'i', ii: 'i', ea: 'i', ie: 'i', oo: 'u', ou: 'u', uu: 'u' }],
  [/au|[ae][iy]|y/g, { au: 'o', ai: 'e', ay: 'e', ei: 'e', ey: 'e', y: 'i' }],
];
const DOUBLED = /(.)\1/g;

/** A word as it sounds, roughly: what transliterations and clerks spell differently becomes the same. */
export function fold(word: string): string {
  const known = SAME[word];
  if (known !== undefined) return known;
  let folded = word;
  for (const [pattern, becomes] of FOLDS) folded = folded.replace(pattern, (found) => becomes[found]!);
  folded = folded.replace(DOUBLED, '$1');
  return folded.length > 1 && folded.endsWith('h') ? folded.slice(0, -1) : folded;
}

/** The consonants of a folded word, and its first letter: what a search begins with. */
export function skeleton(folded: string): string {
  let found = '';
  for (let at = 0; at < folded.length; at += 1) {
    const letter = folded[at]!;
    const isVowel = 'aeiou'.includes(letter);
    if (at > 0 && (isVowel || letter === 'h')) continue;
    const sound = isVowel ? 'a' : letter === 'v' ? 'b' : letter;
    if (!found.endsWith(sound)) found += sound;
  }
  return found;
}
