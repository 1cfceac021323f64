/**
 * What a text must hold for a pattern to match it: a word, all of several needs, or one of several. `undefined` = nothing
 * that can be told. Most patterns name a word most messages lack, and looking for a word costs a hundredth of a search.
 */
export type Need = string | { readonly all: readonly Need[] } | { readonly any: readonly Need[] } | undefined;

/** Single letters are in nearly every message; a single sign such as `@` or `₹` is not. */
const MIN_LENGTH = 2;

/** Reads the need off the source of a case-insensitive RE2 pattern that compiles. Lower case. */
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

/** The pattern uses something this reader does not know; it then goes without a need. */
class NotRead extends Error {}

/** Stands for no literal at all, yet a piece that takes letters: it ends the word before it. */
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

/** Beyond ASCII only letters without case: folding them is RE2's business. */
function literal(letter: string): Piece {
  const lower = letter.toLowerCase();
  if (letter <= '\x7f') return { letter: lower };
  return lower === letter.toUpperCase() && !/[\ud800-\udfff]/.test(letter) ? { letter } : ANY_LETTER;
}

/** Pairs of neighbouring letters fold into so many bits. */
const PAIR_BITS = 1 << 12;
const pairOf = (first: number, second: number): number => (first * 61 + second) & (PAIR_BITS - 1);

/** A word some pattern needs, and whether the line asked last holds it. */
class Word {
  readonly text: string;
  readonly pairs: Uint16Array;
  askedBy: WordIndex | undefined;
  isThere = false;

  constructor(text: string) {
    this.text = text;
    this.pairs = new Uint16Array(text.length - 1);
    for (let at = 1; at < text.length; at += 1)
      this.pairs[at - 1] = pairOf(text.charCodeAt(at - 1), text.charCodeAt(at));
  }
}

/** One object a word, so that patterns share the answer. Bounded, since templates are editable. */
const words = new Map<string, Word>();
function wordOf(text: string): Word {
  const known = words.get(text);
  if (known) return known;
  if (words.size >= 5_000) words.clear();
  const word = new Word(text);
  words.set(text, word);
  return word;
}

/** A need made ready to ask: one shape for all three kinds keeps the walk quick. */
export interface Condition {
  readonly word: Word | undefined;
  readonly isAll: boolean;
  readonly parts: readonly Condition[];
}

export function conditionOf(need: Need): Condition | undefined {
  if (need === undefined) return undefined;
  if (typeof need === 'string') return { word: wordOf(need), isAll: true, parts: [] };
  const isAll = 'all' in need;
  // A single word says no soonest: nearly every message holds one of 'rs', 'inr' and '₹'.
  const parts = (isAll ? need.all : need.any)
    .flatMap((part) => conditionOf(part) ?? [])
    .toSorted((a, b) => a.parts.length - b.parts.length);
  return { word: undefined, isAll, parts };
}

/** A text in which words are looked for, at most once each. */
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
    const { word, isAll, parts } = condition;
    if (word) return this.has(word);
    for (const part of parts) {
      if (this.meets(part) !== isAll) return !isAll;
    }
    return isAll;
  }

  private has(word: Word): boolean {
    if (word.askedBy !== this) {
      word.askedBy = this;
      word.isThere = this.mayHave(word.pairs) && this.lower.includes(word.text);
    }
    return word.isThere;
  }

  private mayHave(pairs: Uint16Array): boolean {
    for (let at = 0; at < pairs.length; at += 1) {
      const pair = pairs[at]!;
      if ((this.pairs[pair >> 5]! & (1 << (pair & 31))) === 0) return false;
    }
    return true;
  }
}
