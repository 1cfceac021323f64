import { likeness } from './likeness.ts';
import { COMMON_NAMES } from './common-names.ts';
import { pairsOf, partsOf, PartIndex } from './part-index.ts';
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
/** More of them, most of which never come again, cost more to keep than to look at anew. */
const MOST_REMEMBERED = 4_000;
/** Names of fewer letters are not looked for run together. */
const SHORT = 5;

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
}

/** A word that is asked for. */
interface Asked {
  readonly folded: string;
  readonly weight: number;
  /** It is a well-known name or a listed one itself. */
  readonly isName: boolean;
  /** Of its consonants (part-index.ts). */
  readonly parts: readonly number[];
  /** How alike words of the lists are, as far as they were compared; 0: another word. */
  alike: Map<number, number> | undefined;
}

interface Indexed extends ListedName {
  readonly words: readonly number[];
  readonly joined: string;
  /** The last look that came by. */
  looked: number;
}

const COMMON = new Set(COMMON_NAMES.map(fold));

function weightOf(folded: string): number {
  if (folded.length === 1) return WEIGHT.initial;
  return COMMON.has(folded) ? WEIGHT.common : WEIGHT.rare;
}

/**
 * Names to be found again in any order, case, spacing, script and spelling. A name asked for is compared only with listed names
 * that share two of its words, one of them with the same consonants, or its letters run together; most names share nothing and
 * cost a few look-ups.
 */
export class NameIndex {
  private readonly names: Indexed[] = [];
  private readonly words: Word[] = [];
  private readonly wordAt = new Map<string, number>();
  /** Names of one word, initials aside. */
  private readonly byWord = new PartIndex();
  private readonly byPair = new PartIndex();
  private readonly byJoined = new PartIndex();
  private looks = 0;
  /** Words asked for before, by how they were written. */
  private readonly remembered = new Map<string, Asked>();

  get size(): number {
    return this.names.length;
  }

  add(listed: ListedName): void {
    const folded = tokensOf(listed.name).map(fold);
    if (folded.length === 0) return;
    const at = this.names.length;
    const joined = folded.join('');
    this.names.push({ ...listed, words: folded.map((text) => this.place(text)), joined, looked: 0 });
    const parts = folded.map((text) => partsOf(skeleton(text)));
    for (const hash of pairsOf(parts)) this.byPair.add(hash, at);
    for (const hash of wordKeys(folded, parts)) this.byWord.add(hash, at);
    if (joined.length <= SHORT) return;
    for (const run of [joined, folded.toReversed().join('')])
      for (const hash of partsOf(skeleton(run))) this.byJoined.add(hash, at);
  }

  private place(folded: string): number {
    const known = this.wordAt.get(folded);
    if (known !== undefined) return known;
    const at = this.words.push({ folded, weight: weightOf(folded) }) - 1;
    this.wordAt.set(folded, at);
    return at;
  }

  /** The listed name most alike, from `NEAR_FROM` on, among entries that `counts`. */
  find(name: string, counts: (entry: number) => boolean = () => true): NameMatch | undefined {
    if (this.names.length === 0) return undefined;
    const asked = tokensOf(name).map((token) => this.ask(token));
    const folded = asked.map((each) => each.folded);
    let best: NameMatch | undefined;
    const look = (index: PartIndex, hashes: readonly number[], score: (listed: Indexed) => number): void => {
      this.looks += 1;
      for (const hash of hashes)
        for (const at of index.find(hash)) {
          const listed = this.names[at]!;
          if (listed.looked === this.looks) continue;
          listed.looked = this.looks;
          const reached = score(listed);
          if (reached >= NEAR_FROM && reached > (best?.score ?? 0) && counts(listed.entry))
            best = { entry: listed.entry, name: listed.name, score: reached };
        }
    };
    const parts = asked.map((each) => each.parts);
    look(this.byPair, pairsOf(parts), (listed) => this.score(asked, listed));
    look(this.byWord, wordKeys(folded, parts), (listed) => this.score(asked, listed));
    if (best && best.score >= HIT_FROM) return best;
    const joined = folded.join('');
    if (joined.length <= SHORT) return best;
    const backwards = folded.toReversed().join('');
    look(this.byJoined, partsOf(skeleton(joined)), (listed) =>
      this.joinedScore(asked, [joined, backwards], listed),
    );
    return best;
  }

  private ask(token: string): Asked {
    const known = this.remembered.get(token);
    if (known) return known;
    const folded = fold(token);
    const isName = this.wordAt.has(folded) || COMMON.has(folded);
    const asked: Asked = {
      folded,
      weight: weightOf(folded),
      isName,
      parts: partsOf(skeleton(folded)),
      alike: undefined,
    };
    if (this.remembered.size >= MOST_REMEMBERED) this.remembered.clear();
    this.remembered.set(token, asked);
    return asked;
  }

  /** How alike a word asked for and one of the lists are; 0 if they are different words. */
  private alike(asked: Asked, word: number): number {
    const { folded, isName } = asked;
    const known = asked.alike?.get(word);
    if (known !== undefined) return known;
    const other = this.words[word]!.folded;
    const counted =
      folded === other ? 1 : (isName ? ANOTHER_NAME : 1) * (folded[0] === other[0] ? 1 : OTHER_FIRST);
    const reached = likeness(folded, other, SAME_WORD / counted) * counted;
    const found = reached >= SAME_WORD ? reached : 0;
    (asked.alike ??= new Map()).set(word, found);
    return found;
  }

  /** Twice what both have in common, over what both have; a word says as much as the listed one does. */
  private score(asked: readonly Asked[], listed: Indexed): number {
    const left = [...listed.words];
    let common = 0;
    let all = 0;
    for (const word of left) all += this.words[word]!.weight;
    for (const each of asked) {
      let best = -1;
      let most = 0;
      for (let at = 0; at < left.length; at += 1) {
        const isInitial = each.folded.length === 1 && this.words[left[at]!]!.folded.startsWith(each.folded);
        const found = Math.max(this.alike(each, left[at]!), isInitial ? 0.9 : 0);
        if (found > most) [best, most] = [at, found];
      }
      if (best < 0) {
        all += each.weight;
        continue;
      }
      const [word] = left.splice(best, 1);
      const counted = each.folded.length === 1 ? WEIGHT.initial : this.words[word!]!.weight;
      all += counted;
      common += 2 * counted * most;
    }
    return common / all;
  }

  /** Words run together or torn apart, or a slip in a short one: how alike all their letters are. */
  private joinedScore(asked: readonly Asked[], runs: readonly string[], listed: Indexed): number {
    // As many words as the listed name has: one that is a name itself is no slip.
    const isAnother =
      asked.length === listed.words.length &&
      asked.some(
        ({ folded, isName }) => isName && !listed.words.some((word) => this.words[word]!.folded === folded),
      );
    return isAnother ? 0 : Math.max(...runs.map((run) => likeness(run, listed.joined, NEAR_FROM)));
  }
}

/** The word of a name that has only one, initials aside. */
function wordKeys(folded: readonly string[], parts: readonly (readonly number[])[]): readonly number[] {
  const whole = parts.filter((_, at) => folded[at]!.length > 1);
  return whole.length === 1 ? whole[0]! : [];
}
