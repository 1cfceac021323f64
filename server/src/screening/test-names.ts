import { COMMON_NAMES } from './common-names.ts';

/** A random source: from 0 to below 1. */
export type Chance = () => number;

/** The same numbers for the same seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <Item>(chance: Chance, items: readonly Item[]): Item =>
  items[Math.floor(chance() * items.length)]!;

const STARTS = [
  'k',
  'kr',
  's',
  'sh',
  'r',
  'm',
  'n',
  'd',
  'dh',
  'b',
  'bh',
  'g',
  'p',
  'pr',
  't',
  'v',
  'j',
  'h',
  'l',
  'y',
  'ch',
  '',
];
const MIDDLES = ['a', 'i', 'u', 'e', 'o', 'aa', 'ee'];
const ENDS = ['n', 'r', 'sh', 't', 'l', 'm', 'k', 'v', 'nd', 'rt', 'y', 'j', 'd'];
const LAST = ['', '', 'a', 'i', 'an', 'esh', 'endra', 'wala', 'kar', 'war'];

/** An invented name that somebody might have. */
function rareWord(chance: Chance): string {
  const syllables = 2 + Math.floor(chance() * 1.5);
  let word = '';
  for (let at = 0; at < syllables; at += 1) word += pick(chance, STARTS) + pick(chance, MIDDLES);
  word += pick(chance, ENDS) + pick(chance, LAST);
  return word.length < 5 ? rareWord(chance) : word;
}

/** A full name of common given and family names, where one word in three is rare. */
export function makeName(chance: Chance): string {
  const words = 2 + (chance() < 0.35 ? 1 : 0);
  const made = Array.from({ length: words }, () =>
    chance() < 0.35 ? rareWord(chance) : pick(chance, COMMON_NAMES),
  );
  return made.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(' ');
}

const CONSONANTS: Readonly<Record<string, string>> = {
  chh: 'छ',
  ch: 'च',
  kh: 'ख',
  gh: 'घ',
  jh: 'झ',
  th: 'थ',
  dh: 'ध',
  ph: 'फ',
  bh: 'भ',
  sh: 'श',
  k: 'क',
  g: 'ग',
  j: 'ज',
  t: 'त',
  d: 'द',
  n: 'न',
  p: 'प',
  b: 'ब',
  m: 'म',
  y: 'य',
  r: 'र',
  l: 'ल',
  v: 'व',
  w: 'व',
  s: 'स',
  h: 'ह',
  f: 'फ',
  z: 'ज',
  q: 'क',
  c: 'क',
  x: 'क्स',
};
const SIGNS: Readonly<Record<string, string>> = {
  aa: 'ा',
  ee: 'ी',
  oo: 'ू',
  ai: 'ै',
  au: 'ौ',
  a: '',
  i: 'ि',
  u: 'ु',
  e: 'े',
  o: 'ो',
};
const LETTERS: Readonly<Record<string, string>> = {
  aa: 'आ',
  ee: 'ई',
  oo: 'ऊ',
  ai: 'ऐ',
  au: 'औ',
  a: 'अ',
  i: 'इ',
  u: 'उ',
  e: 'ए',
  o: 'ओ',
};

/** A word in Devanagari, roughly. */
function devanagari(word: string): string {
  let text = '';
  let open = false;
  for (const [part] of word.toLowerCase().matchAll(/chh|ch|kh|gh|jh|th|dh|ph|bh|sh|aa|ee|oo|ai|au|[a-z]/g)) {
    const isVowel = part in SIGNS;
    if (!isVowel) text += (open ? '्' : '') + CONSONANTS[part]!;
    else text += open ? SIGNS[part]! : LETTERS[part]!;
    open = !isVowel;
  }
  return text;
}

const TITLES = ['Mr. ', 'Shri ', 'Smt ', 'Dr ', 'M/s '];

function slip(chance: Chance, name: string): string {
  const places = [...name.matchAll(/[a-z]/gi)].map(({ index }) => index).slice(1);
  const at = pick(chance, places);
  const letter = String.fromCharCode(97 + Math.floor(chance() * 26));
  switch (Math.floor(chance() * 4)) {
    case 0:
      return name.slice(0, at) + name.slice(at + 1);
    case 1:
      return name.slice(0, at) + letter + name.slice(at);
    case 2:
      return name.slice(0, at) + letter + name.slice(at + 1);
    default:
      return name.slice(0, at) + (name[at + 1] ?? '') + name[at]! + name.slice(at + 2);
  }
}

/** Ways in which another person writes the same name. */
export const VARIATIONS: Readonly<Record<string, (chance: Chance, name: string) => string>> = {
  'the same': (_chance, name) => name,
  case: (chance, name) => (chance() < 0.5 ? name.toUpperCase() : name.toLowerCase()),
  order: (_chance, name) => name.split(' ').reverse().join(' '),
  'family name first, with a comma': (_chance, name) => {
    const words = name.split(' ');
    return `${words.pop()}, ${words.join(' ')}`;
  },
  spacing: (chance, name) => (chance() < 0.5 ? name.replace(' ', '') : name.replace(/ /g, '   ')),
  title: (chance, name) => pick(chance, TITLES) + name,
  marks: (_chance, name) => name.replace(/a/, 'á').replace(/i/, 'ī').replace(/ /, ' - '),
  Devanagari: (_chance, name) => name.split(' ').map(devanagari).join(' '),
  spelling: (_chance, name) =>
    name.replace(/sh/, 's').replace(/ee/, 'i').replace(/v/, 'w').replace(/oo/, 'u').replace(/a\b/, 'aa'),
  'a slip': slip,
  'a slip, in other order': (chance, name) => slip(chance, name).split(' ').reverse().join(' '),
};
