import { RE2JS } from 're2js';
import { isBalanceLabelled, isWholeNumber } from './fields.ts';
import { LinearProgram } from './linear.ts';
import { conditionOf, needOf, WordIndex, type Condition } from './literals.ts';
import { fieldNames, type FieldName } from './template.ts';

/** A pattern prepared for searching: its program, its named groups, and the words that a text must contain to be worth a search. */
export interface Pattern {
  /** Size with counted repeats written out. */
  readonly size: number;
  readonly groups: readonly string[];
  readonly fields: readonly (readonly [name: FieldName, group: number])[];
  readonly program: LinearProgram;
  readonly need: Condition | undefined;
}

function compilePattern(source: string): Pattern {
  const re2 = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  const program = new LinearProgram(re2);
  const fields = fieldNames.flatMap((name) => {
    const group = program.groups[name];
    return group === undefined ? [] : [[name, group] as const];
  });
  return {
    size: re2.programSize(),
    groups: Object.keys(program.groups),
    fields,
    program,
    need: conditionOf(needOf(source)),
  };
}

/**
 * The default set repeats its detail patterns, and a change of one template leaves the others unchanged, so each source is compiled once.
 * Bounded, because templates can be edited.
 */
const compiledSources = new Map<string, Pattern>();
export function sharedPattern(source: string): Pattern {
  const known = compiledSources.get(source);
  if (known) return known;
  const compiled = compilePattern(source);
  if (compiledSources.size >= 1_000) compiledSources.clear();
  compiledSources.set(source, compiled);
  return compiled;
}

/** A message's normalised text, and the words that it contains. */
export interface Line {
  readonly text: string;
  readonly words: WordIndex;
}

export const lineOf = (text: string): Line => ({ text, words: new WordIndex(text) });

export function matches({ need, program }: Pattern, { text, words }: Line): boolean {
  return words.meets(need) && program.search(text);
}

/** Words of a text, and where they stand. */
export interface Printed {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Found {
  readonly start: number;
  readonly fields: ReadonlyMap<FieldName, Printed>;
}

/** Matches that begin before `until`, from left to right, except those that cut a number in two. */
export function* search(
  { need, program, fields: named }: Pattern,
  { text, words }: Line,
  until?: number,
): Generator<Found, undefined> {
  if (!words.meets(need)) return;
  // Bounded, because each search starts after the last match, and a text has few amounts.
  for (let attempt = 0, from = 0; attempt < 8 && program.search(text, from, until); attempt += 1) {
    const { captures } = program;
    const start = captures[0]!;
    const end = captures[1]!;
    from = end === start ? end + 1 : end;
    const fields = new Map<FieldName, Printed>();
    let whole = true;
    for (const [name, group] of named) {
      const first = captures[2 * group]!;
      const last = captures[2 * group + 1]!;
      if (first < 0 || first === last) continue;
      if (name === 'amount' || name === 'balance') whole &&= isWholeNumber(text, first, last);
      if (name === 'amount') whole &&= !isBalanceLabelled(text, first);
      fields.set(name, { text: text.slice(first, last), start: first, end: last });
    }
    if (whole) yield { start, fields };
  }
  return undefined;
}
