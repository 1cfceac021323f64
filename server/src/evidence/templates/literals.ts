/**
 * What a text must contain for a pattern to match it: a word, all of several needs, or one of several. `undefined`: nothing is known. Most
 * patterns contain a word that most messages lack, and looking for a word costs a hundredth of a search.
 */
export type Need = string | { readonly all: readonly Need[] } | { readonly any: readonly Need[] } | undefined;

/** Single letters are in nearly every message; a single sign such as `@` or `₹` is not. */
const MIN_LENGTH = 2;

/** Reads the need from the source of a case-insensitive RE2 pattern that compiles. The words are in lower case. */
export function needOf(source: string): Need {
  const reader = new Reader(source);
  try {
    const need = reader.alternatives();
    return reader.isAtEnd() ? need : undefined;
  } catch (error) {
    if (error instanceof NotRead) return undefined;
    throw error;
  }
}

/** The pattern uses something that this reader does not know. It then has no need. */
class NotRead extends Error {}

/** A piece that takes letters but is no literal: it ends the word before it. */
const ANY_LETTER = Symbol('any letter');
/** `\b`, `^`, `$`: takes no letter, so the word goes on. */
const NO_LETTER = Symbol('no letter');
type Piece = typeof ANY_LETTER | typeof NO_LETTER | { readonly letter: string } | { readonly group: Need };

class Reader {
  private readonly source: string;
  private at = 0;

  constructor(source: string) {
    this.source = source;
  }

  isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  alternatives(): Need {
    const branches = [this.sequence()];
    while (this.take('|')) branches.push(this.sequence());
    const needs = branches.filter((branch) => branch !== undefined);
    if (needs.length < branches.length) return undefined;
    return needs.length === 1 ? needs[0] : { any: needs };
  }

  private sequence(): Need {
    const needs: Need[] = [];
    let word = '';
    const endWord = (): void => {
      if (word.length >= MIN_LENGTH || /[^a-z0-9 ]/.test(word)) needs.push(word);
      word = '';
    };
    while (!this.isAtEnd() && this.source[this.at] !== '|' && this.source[this.at] !== ')') {
      const piece = this.piece();
      const { least, isRepeated } = this.repeats();
      if (piece === NO_LETTER) continue;
      if (piece === ANY_LETTER || 'group' in piece || least === 0) {
        endWord();
        if (piece !== ANY_LETTER && 'group' in piece && least > 0 && piece.group !== undefined)
          needs.push(piece.group);
        continue;
      }
      word += piece.letter;
      if (isRepeated) endWord();
    }
    endWord();
    return needs.length > 1 ? { all: needs } : needs[0];
  }

  private piece(): Piece {
    const letter = this.source[this.at++]!;
    if (letter === '\\') return this.escape();
    if (letter === '(') return { group: this.group() };
    if (letter === '[') return this.letterClass();
    if (letter === '.') return ANY_LETTER;
    if (letter === '^' || letter === '$') return NO_LETTER;
    if ('*+?{'.includes(letter)) throw new NotRead();
    return literal(letter);
  }

  private escape(): Piece {
    const letter = this.source[this.at++] ?? '';
    if (letter === 'b' || letter === 'B') return NO_LETTER;
    if ('dDwWsS'.includes(letter)) return ANY_LETTER;
    if (/[a-z0-9]/i.test(letter)) throw new NotRead();
    return literal(letter);
  }

  private group(): Need {
    if (this.take('?')) {
      const head = /^(?::|P?<[a-z_]\w*>)/i.exec(this.source.slice(this.at))?.[0];
      if (head === undefined) throw new NotRead();
      this.at += head.length;
    }
    const need = this.alternatives();
    if (!this.take(')')) throw new NotRead();
    return need;
  }

  private letterClass(): Piece {
    this.take('^');
    // A bracket that comes first is a letter.
    this.take(']');
    for (let letter = this.source[this.at++]; letter !== ']'; letter = this.source[this.at++]) {
      if (letter === undefined || letter === '[') throw new NotRead();
      if (letter === '\\') this.at += 1;
    }
    return ANY_LETTER;
  }

  private repeats(): { least: number; isRepeated: boolean } {
    const counted = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.source.slice(this.at));
    if (!counted) return { least: 1, isRepeated: false };
    this.at += counted[0].length;
    const isOptional = counted[0].startsWith('*') || counted[0].startsWith('?') || counted[1] === '0';
    return { least: isOptional ? 0 : 1, isRepeated: true };
  }

  private take(letter: string): boolean {
    if (this.source[this.at] !== letter) return false;
    this.at += 1;
    return true;
  }
}

/** Beyond ASCII, only letters without case: RE2 alone folds the others. */
function literal(letter: string): Piece {
  const lower = letter.toLowerCase();
  if (letter <= '\x7f') return { letter: lower };
  return lower === letter.toUpperCase() && !/[\ud800-\udfff]/.test(letter) ? { letter } : ANY_LETTER;
}

/** Pairs of neighbouring letters are folded into this many bits. */
const PAIR_BITS = 1 << 12;
const pairOf = (first: number, second: number): number => (first * 61 + second) & (PAIR_BITS - 1);

/**
 * A need prepared for checking, with the answer for the last line. Patterns share it, so 'rs', 'inr' or '₹' is looked for once per line.
 */
export class Condition {
  /** The word, if the need is a single word. */
  readonly word: string | undefined;
  readonly pairs: Uint16Array;
  readonly isAll: boolean;
  readonly parts: readonly Condition[];
  askedBy: WordIndex | undefined;
  isMet = false;

  constructor(need: Exclude<Need, undefined>) {
    this.word = typeof need === 'string' ? need : undefined;
    this.pairs = this.word === undefined ? new Uint16Array() : pairsOf(this.word);
    this.isAll = typeof need !== 'string' && 'all' in need;
    // Single words come first, because they refuse soonest.
    this.parts = partsOf(need)
      .flatMap((part) => conditionOf(part) ?? [])
      .toSorted((one, other) => one.parts.length - other.parts.length);
  }
}

function partsOf(need: Exclude<Need, undefined>): readonly Need[] {
  if (typeof need === 'string') return [];
  return 'all' in need ? need.all : need.any;
}

function pairsOf(word: string): Uint16Array {
  const pairs = new Uint16Array(word.length - 1);
  for (let at = 1; at < word.length; at += 1)
    pairs[at - 1] = pairOf(word.charCodeAt(at - 1), word.charCodeAt(at));
  return pairs;
}

/** One object per need. Bounded, because templates can be edited. */
const conditions = new Map<string, Condition>();
export function conditionOf(need: Need): Condition | undefined {
  if (need === undefined) return undefined;
  const key = JSON.stringify(need);
  const known = conditions.get(key);
  if (known) return known;
  const condition = new Condition(need);
  if (conditions.size >= 10_000) conditions.clear();
  conditions.set(key, condition);
  return condition;
}

/** A text in which each word is looked for at most once. */
export class WordIndex {
  private readonly lower: string;
  private readonly pairs = new Uint32Array(PAIR_BITS / 32);

  constructor(text: string) {
    this.lower = text.toLowerCase();
    let before = 0;
    for (let at = 0; at < this.lower.length; at += 1) {
      const unit = this.lower.charCodeAt(at);
      const pair = pairOf(before, unit);
      this.pairs[pair >> 5]! |= 1 << (pair & 31);
      before = unit;
    }
  }

  meets(condition: Condition | undefined): boolean {
    if (condition === undefined) return true;
    if (condition.askedBy !== this) {
      condition.askedBy = this;
      condition.isMet = this.find(condition);
    }
    return condition.isMet;
  }

  private find({ word, pairs, isAll, parts }: Condition): boolean {
    if (word !== undefined) return this.mayHave(pairs) && this.lower.includes(word);
    for (const part of parts) {
      if (this.meets(part) !== isAll) return !isAll;
    }
    return isAll;
  }

  private mayHave(pairs: Uint16Array): boolean {
    for (let at = 0; at < pairs.length; at += 1) {
      const pair = pairs[at]!;
      if ((this.pairs[pair >> 5]! & (1 << (pair & 31))) === 0) return false;
    }
    return true;
  }
}
