import { likeness } from './likeness.ts';
import { COMMON_NAMES } from './common-names.ts';
import { pairsOf, partsOf, PartIndex } from './part-index.ts';
import { fold } from './fold.ts';
import { tokensOf } from './tokens.ts';

/** From this score on a name counts as the listed one. */
export const HIT_FROM = 0.89;
/** From this score on people see that the names look alike. */
export const NEAR_FROM = 0.83;

/** Words below this likeness are different words. */
const SAME_WORD = 0.72;
/** The factor for a word that is a well-known name or another listed name, because it is hardly a misspelling. */
const ANOTHER_NAME = 0.8;
/** The likeness of a word and its initial. */
const INITIAL = 0.9;
/** The factor for a different first letter, because a first letter is rarely wrong. */
const OTHER_FIRST = 0.9;
/** How much a word says about which person a name means. */
const WEIGHT = { initial: 40, common: 65, rare: 100 };
/** How many words are remembered. Most words never come again, so remembering more costs more than it saves. */
const MOST_REMEMBERED = 4_000;
/** Names with this many letters or fewer are not compared with their words run together. */
const SHORT = 5;
/** Marks a word of a listed name that is already paired. */
const TAKEN = -1;

export interface ListedName {
  /** The number of the entry. An entry may have several names. */
  readonly entry: number;
  readonly name: string;
}

export interface NameMatch extends ListedName {
  /** From 0 to 1. */
  readonly score: number;
}

/** A word of the name that is asked for. */
interface Asked {
  readonly folded: string;
  readonly weight: number;
  /** The listed word with the same folded form. -1: none. */
  readonly listed: number;
  /** Whether it is a well-known name or a listed word. */
  readonly isName: boolean;
  /** Hashes of its consonants (part-index.ts). */
  readonly parts: readonly number[];
}

const COMMON = new Set(COMMON_NAMES.map(fold));

function weightOf(folded: string): number {
  if (folded.length === 1) return WEIGHT.initial;
  return COMMON.has(folded) ? WEIGHT.common : WEIGHT.rare;
}

/**
 * Finds listed names in any order, case, spacing, script and spelling. A name is compared only with listed names that share two words with
 * it, one of them with the same consonants, or the letters run together. Most names share nothing and cost a few look-ups.
 */
export class NameIndex {
  private readonly names: ListedName[] = [];
  /** The letters of each name, run together. */
  private readonly joined: string[] = [];
  /**
   * The words of all names one after another, and where each name's words begin. They lie close together in memory, because most look-ups
   * end here.
   */
  private readonly wordsOf: number[] = [];
  private readonly begins: number[] = [0];
  /** Each word once, and its weight. */
  private readonly words: string[] = [];
  private readonly weights: number[] = [];
  private readonly wordAt = new Map<string, number>();
  /** Names by two of their words, or by the only word; initials do not count as a word here. */
  private readonly byWords = new PartIndex();
  private readonly byJoined = new PartIndex();
  /** For each name, the number of the last look-up that met it. */
  private readonly looked: number[] = [];
  private looks = 0;
  /** Words asked for before, as they were written. */
  private readonly remembered = new Map<string, Asked>();

  get size(): number {
    return this.names.length;
  }

  add(listed: ListedName): void {
    const folded = tokensOf(listed.name).map(fold);
    if (folded.length === 0) return;
    if (this.remembered.size > 0) this.remembered.clear();
    const at = this.names.push(listed) - 1;
    this.joined.push(folded.join(''));
    for (const text of folded) this.wordsOf.push(this.place(text));
    this.begins.push(this.wordsOf.length);
    this.looked.push(0);
    const words = folded.map((text) => ({ folded: text, parts: partsOf([text]) }));
    for (const hash of keysOf(words)) this.byWords.add(hash, at);
    if (isShort(folded)) return;
    for (const run of [folded, folded.toReversed()])
      for (const hash of partsOf(run)) this.byJoined.add(hash, at);
  }

  private place(folded: string): number {
    const known = this.wordAt.get(folded);
    if (known !== undefined) return known;
    const at = this.words.push(folded) - 1;
    this.weights.push(weightOf(folded));
    this.wordAt.set(folded, at);
    return at;
  }

  /** The most alike listed name, from `NEAR_FROM` on, among entries for which `counts` is true. Of equal ones the first listed. */
  find(name: string, counts: (entry: number) => boolean = () => true): NameMatch | undefined {
    if (this.names.length === 0) return undefined;
    const asked = tokensOf(name).map((token) => this.ask(token));
    const byWords = this.best(this.byWords, keysOf(asked), counts, (at) => this.score(asked, at));
    if (byWords && byWords.score >= HIT_FROM) return byWords;
    const folded = asked.map((each) => each.folded);
    if (isShort(folded)) return byWords;
    const byJoined = this.best(this.byJoined, partsOf(folded), counts, (at) =>
      this.isAnother(asked, at) ? 0 : this.joinedScore(folded, at),
    );
    return byJoined && byJoined.score > (byWords?.score ?? 0) ? byJoined : byWords;
  }

  /** Of the names with one of the hashes, the one with the highest score. */
  private best(
    index: PartIndex,
    hashes: readonly number[],
    counts: (entry: number) => boolean,
    score: (at: number) => number,
  ): NameMatch | undefined {
    this.looks += 1;
    let best = -1;
    let most = 0;
    for (const hash of hashes)
      for (let link = index.first(hash); link !== 0; link = index.before(link)) {
        const at = index.placeOf(link);
        if (this.looked[at] === this.looks) continue;
        this.looked[at] = this.looks;
        const reached = score(at);
        if (reached < NEAR_FROM || reached < most || (reached === most && at > best)) continue;
        if (counts(this.names[at]!.entry)) [best, most] = [at, reached];
      }
    if (best < 0) return undefined;
    const { entry, name } = this.names[best]!;
    return { entry, name, score: most };
  }

  private ask(token: string): Asked {
    const known = this.remembered.get(token);
    if (known) return known;
    const folded = fold(token);
    const listed = this.wordAt.get(folded) ?? -1;
    const asked: Asked = {
      folded,
      weight: weightOf(folded),
      listed,
      isName: listed >= 0 || COMMON.has(folded),
      parts: partsOf([folded]),
    };
    if (this.remembered.size >= MOST_REMEMBERED) this.remembered.clear();
    this.remembered.set(token, asked);
    return asked;
  }

  /** How alike a word asked for and a listed word are. 0 if they are different words. */
  private alike(asked: Asked, at: number): number {
    if (at === asked.listed) return 1;
    const { folded, isName } = asked;
    const word = this.words[at]!;
    const isSameFirst = folded.charCodeAt(0) === word.charCodeAt(0);
    const least = folded.length === 1 && isSameFirst ? INITIAL : SAME_WORD;
    const counted = (isName ? ANOTHER_NAME : 1) * (isSameFirst ? 1 : OTHER_FIRST);
    const reached = likeness(folded, word, least / counted) * counted;
    if (reached >= least) return reached;
    return least === INITIAL ? INITIAL : 0;
  }

  /** Twice the weight that both names share, divided by the weight of both. A paired word has the weight of the listed word. */
  private score(asked: readonly Asked[], at: number): number {
    const left = this.wordsOf.slice(this.begins[at], this.begins[at + 1]);
    let listed = 0;
    for (const word of left) listed += this.weights[word]!;
    let alone = 0;
    let paired = 0;
    let common = 0;
    for (let each = 0; each < asked.length; each += 1) {
      const word = asked[each]!;
      let best = -1;
      let most = 0;
      for (let place = 0; place < left.length; place += 1) {
        const found = left[place] === TAKEN ? 0 : this.alike(word, left[place]!);
        if (found > most) [best, most] = [place, found];
      }
      if (best >= 0) {
        const counted = word.folded.length === 1 ? WEIGHT.initial : this.weights[left[best]!]!;
        left[best] = TAKEN;
        paired += counted;
        common += counted * most;
        continue;
      }
      alone += word.weight;
      // The highest score possible if all remaining words were in both names.
      const highest = Math.min(listed, paired + WEIGHT.rare * (asked.length - each - 1));
      if (2 * highest < NEAR_FROM * (listed + alone + highest)) return 0;
    }
    return (2 * common) / (listed + alone + paired);
  }

  /**
   * Whether it is another name: it has as many words as the listed name, and one of its words is itself a known name but none of those
   * words. Then it is no misspelling.
   */
  private isAnother(asked: readonly Asked[], at: number): boolean {
    const [begin, end] = [this.begins[at]!, this.begins[at + 1]!];
    if (asked.length !== end - begin) return false;
    for (const { isName, listed } of asked) {
      if (!isName) continue;
      let place = begin;
      while (place < end && this.wordsOf[place] !== listed) place += 1;
      if (place === end) return true;
    }
    return false;
  }

  /** How alike the letters of the whole names are: for words run together or split, or a slip in a short word. */
  private joinedScore(folded: readonly string[], at: number): number {
    const joined = this.joined[at]!;
    const [forwards, backwards] = [folded.join(''), folded.toReversed().join('')];
    return Math.max(likeness(forwards, joined, NEAR_FROM), likeness(backwards, joined, NEAR_FROM));
  }
}

const isShort = (folded: readonly string[]) => folded.reduce((sum, { length }) => sum + length, 0) <= SHORT;

/** The keys of a name: pairs of its words, or its only word (an initial is no word here). */
function keysOf(words: readonly Pick<Asked, 'folded' | 'parts'>[]): number[] {
  const keys = pairsOf(words.map(({ parts }) => parts));
  const whole = words.filter(({ folded }) => folded.length > 1);
  return whole.length === 1 ? [...whole[0]!.parts, ...keys] : keys;
}
