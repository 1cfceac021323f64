import { likeness } from './likeness.ts';
import { COMMON_NAMES } from './common-names.ts';
import { fold, skeleton, tokensOf } from './tokens.ts';

/** From here on a name counts as a listed one … */
export const HIT_FROM = 0.89;
/** … and from here on people are shown that they look alike. */
export const NEAR_FROM = 0.83;

/** Words less alike than this are different words. */
const SAME_WORD = 0.72;
/** A word that is itself a well-known name, or another listed one, is hardly a name misspelt. */
const ANOTHER_NAME = 0.8;
/** A first letter is rarely wrong. */
const OTHER_FIRST = 0.9;
/** How much a word says about whom it names. */
const WEIGHT = { initial: 0.4, common: 0.65, rare: 1 };
/** a, e, h, i, o, u: left out and put in for little. */
const VOWEL_BITS = Array.from('aehiou').reduce(
  (bits, letter) => bits | (1 << (letter.charCodeAt(0) - 97)),
  0,
);
/** Half of what it costs to put one consonant for another that sounds like it. */
const LEAST_COST = 0.25;
const MOST_REMEMBERED = 50_000;

export interface ListedName {
  /** Of the entry, which may have several names. */
  readonly entry: number;
  readonly name: string;
}

export interface NameMatch extends ListedName {
  /** 0 to 1. */
  readonly score: number;
}

/** A word of the lists, by its place in `words`. */
interface Word {
  readonly folded: string;
  readonly weight: number;
  /** Its consonants, a bit each. */
  readonly letters: number;
  /** Places of the names that have it. */
  readonly names: number[];
}

/** A word that is asked for: how it sounds, and which words of the lists it may be, with how alike they are. */
interface Asked {
  readonly folded: string;
  readonly weight: number;
  readonly meant: ReadonlyMap<number, number>;
  /** Names that have one of them. */
  readonly count: number;
}

interface Indexed extends ListedName {
  readonly words: readonly number[];
  readonly joined: string;
  /** Consonants of it, a bit each. */
  readonly letters: number;
}

/** The text itself and, if it is long enough to be known by the rest, each shorter by one letter. */
function shorterByOne(text: string): string[] {
  const found = [text];
  if (text.length < 4) return found;
  for (let at = 0; at < text.length; at += 1) {
    const shorter = text.slice(0, at) + text.slice(at + 1);
    if (shorter !== found.at(-1)) found.push(shorter);
  }
  return found;
}

function push<Key>(map: Map<Key, number[]>, key: Key, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const COMMON = new Set(COMMON_NAMES.map(fold));

function weightOf(folded: string): number {
  if (folded.length === 1) return WEIGHT.initial;
  return COMMON.has(folded) ? WEIGHT.common : WEIGHT.rare;
}

/** The consonants of a word as bits, a to z. */
function consonantsOf(folded: string): number {
  let bits = 0;
  for (let at = 0; at < folded.length; at += 1) bits |= 1 << (folded.charCodeAt(at) - 97);
  return bits & ~VOWEL_BITS;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** A quick look before letters are compared one by one: each consonant that only one word has costs that word `LEAST_COST`. */
function tooDifferent(a: number, b: number, longest: number, least: number): boolean {
  return countBits(a ^ b) * LEAST_COST > (1 - least) * Math.max(longest, 5);
}

/**
 * Names to be found again in any order, case, spacing, script and spelling. A name asked for is compared only with listed names
 * that share its rarest words, or its letters run together; most names share nothing and cost a few look-ups.
 */
export class NameIndex {
  private readonly names: Indexed[] = [];
  private readonly words: Word[] = [];
  private readonly wordAt = new Map<string, number>();
  private readonly bySkeleton = new Map<string, number[]>();
  private readonly byJoined = new Map<string, number[]>();
  /** Scratch of `sharing`, a number for each word. */
  private marks = new Int32Array(1024);
  /** Words asked for before, by how they were written. */
  private readonly remembered = new Map<string, Asked>();

  get size(): number {
    return this.names.length;
  }

  add(listed: ListedName): void {
    const folded = tokensOf(listed.name).map(fold);
    if (folded.length === 0) return;
    const at = this.names.length;
    const words = folded.map((text) => this.place(text));
    for (const word of new Set(words)) this.words[word]!.names.push(at);
    const joined = folded.join('');
    this.names.push({ ...listed, words, joined, letters: consonantsOf(joined) });
    if (joined.length <= 5) return;
    for (const run of new Set([joined, folded.toReversed().join('')]))
      for (const part of shorterByOne(skeleton(run))) push(this.byJoined, part, at);
  }

  private place(folded: string): number {
    const known = this.wordAt.get(folded);
    if (known !== undefined) return known;
    const at =
      this.words.push({ folded, weight: weightOf(folded), letters: consonantsOf(folded), names: [] }) - 1;
    this.wordAt.set(folded, at);
    if (at >= this.marks.length) this.marks = new Int32Array(this.marks.length * 2);
    for (const part of shorterByOne(skeleton(folded))) push(this.bySkeleton, part, at);
    return at;
  }

  /** The listed name most alike, from `NEAR_FROM` on, among entries that `counts`. */
  find(name: string, counts: (entry: number) => boolean = () => true): NameMatch | undefined {
    if (this.names.length === 0) return undefined;
    const asked = tokensOf(name).map((token) => this.ask(token));
    if (asked.length === 0) return undefined;
    let best: NameMatch | undefined;
    const look = (at: number, score: (listed: Indexed) => number): void => {
      const listed = this.names[at]!;
      if (!counts(listed.entry)) return;
      const reached = score(listed);
      if (reached >= NEAR_FROM && reached > (best?.score ?? 0))
        best = { entry: listed.entry, name: listed.name, score: reached };
    };
    for (const at of this.sharing(asked)) look(at, (listed) => this.score(asked, listed));
    if (best && best.score >= HIT_FROM) return best;
    const joined = asked.map(({ folded }) => folded).join('');
    if (joined.length > 5) {
      const backwards = asked
        .map(({ folded }) => folded)
        .toReversed()
        .join('');
      const letters = consonantsOf(joined);
      for (const part of shorterByOne(skeleton(joined)))
        for (const at of this.byJoined.get(part) ?? []) {
          const { letters: others, joined: other } = this.names[at]!;
          if (tooDifferent(letters, others, Math.max(joined.length, other.length), NEAR_FROM)) continue;
          look(at, (listed) =>
            Math.max(this.joinedScore(asked, joined, listed), this.joinedScore(asked, backwards, listed)),
          );
        }
    }
    return best;
  }

  /** Names that have enough of the words asked for, found by the rarest of them. */
  private sharing(asked: readonly Asked[]): Set<number> {
    const found = new Set<number>();
    // So many words must be there for the weakest score that counts, so one of the rarest is.
    const needed = Math.max(1, Math.ceil((asked.length * NEAR_FROM) / (2 - NEAR_FROM) - 0.3));
    const rarest = asked.toSorted((a, b) => a.count - b.count).slice(0, asked.length - needed + 1);
    // A bit for each word asked for, at every word of the lists it may be: counted without a look-up by text.
    const { marks } = this;
    asked.forEach(({ meant }, bit) => {
      for (const word of meant.keys()) marks[word]! |= 1 << (bit & 31);
    });
    for (const { meant } of rarest)
      for (const word of meant.keys())
        for (const at of this.words[word]!.names) {
          let bits = 0;
          const { words } = this.names[at]!;
          for (let each = 0; each < words.length; each += 1) bits |= marks[words[each]!]!;
          if (countBits(bits) >= needed) found.add(at);
        }
    for (const { meant } of asked) for (const word of meant.keys()) marks[word] = 0;
    return found;
  }

  private ask(token: string): Asked {
    const known = this.remembered.get(token);
    if (known) return known;
    const folded = fold(token);
    const own = this.wordAt.get(folded);
    const isName = own !== undefined || COMMON.has(folded);
    const meant = new Map<number, number>(own === undefined ? [] : [[own, 1]]);
    const letters = consonantsOf(folded);
    for (const part of shorterByOne(skeleton(folded)))
      for (const at of this.bySkeleton.get(part) ?? []) {
        const { folded: other, letters: others } = this.words[at]!;
        const longest = Math.max(folded.length, other.length);
        if (meant.has(at) || tooDifferent(letters, others, longest, SAME_WORD)) continue;
        const alike =
          likeness(folded, other, SAME_WORD) *
          (isName ? ANOTHER_NAME : 1) *
          (folded[0] === other[0] ? 1 : OTHER_FIRST);
        if (alike >= SAME_WORD) meant.set(at, alike);
      }
    let count = 0;
    for (const at of meant.keys()) count += this.words[at]!.names.length;
    const asked = { folded, weight: weightOf(folded), meant, count };
    if (this.remembered.size >= MOST_REMEMBERED) this.remembered.clear();
    this.remembered.set(token, asked);
    return asked;
  }

  /** Twice what both have in common, over what both have; a word says as much as the listed one does. */
  private score(asked: readonly Asked[], listed: Indexed): number {
    const left = [...listed.words];
    let common = 0;
    let all = 0;
    for (const word of left) all += this.words[word]!.weight;
    for (const { folded, weight, meant } of asked) {
      let best = -1;
      let alike = 0;
      for (let at = 0; at < left.length; at += 1) {
        const initial = folded.length === 1 && this.words[left[at]!]!.folded.startsWith(folded);
        const found = meant.get(left[at]!) ?? (initial ? 0.9 : 0);
        if (found > alike) [best, alike] = [at, found];
      }
      if (best < 0) {
        all += weight;
        continue;
      }
      const [word] = left.splice(best, 1);
      const counted = folded.length === 1 ? WEIGHT.initial : this.words[word!]!.weight;
      all += counted;
      common += 2 * counted * alike;
    }
    return common / all;
  }

  /** Words run together or torn apart, or a slip in a short one: how alike all their letters are. */
  private joinedScore(asked: readonly Asked[], joined: string, listed: Indexed): number {
    const alike = likeness(joined, listed.joined, NEAR_FROM);
    if (alike === 0 || asked.length !== listed.words.length) return alike;
    // As many words as the listed name has: one that is a name itself is no slip.
    const strange = asked.filter(
      ({ folded }) => !listed.words.some((word) => this.words[word]!.folded === folded),
    );
    return strange.some(({ folded }) => COMMON.has(folded) || this.wordAt.has(folded)) ? 0 : alike;
  }
}
