import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { defaultTemplates } from './defaults/default-templates.ts';
import { LinearProgram } from './linear.ts';
import { conditionOf, needOf, WordIndex } from './literals.ts';

const sources = [
  ...new Set(
    defaultTemplates.flatMap(({ pattern, unless, details = [] }) => [
      pattern,
      ...details,
      ...(unless ? [unless] : []),
    ]),
  ),
];
const samples = defaultTemplates.flatMap(({ samples: own }) =>
  own.map(({ text }) => text.replaceAll('\n', ' ')),
);
const compile = (source: string): RE2JS => RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);

/** Every match from left to right, each with the start and end of its groups, as re2js finds them. */
function matchesOfRe2js(pattern: RE2JS, text: string): number[][] {
  const matcher = pattern.matcher(text);
  const found: number[][] = [];
  while (found.length < 8 && matcher.find())
    found.push(
      Array.from({ length: matcher.groupCount() + 1 }, (_, group) => [
        matcher.start(group),
        matcher.end(group),
      ]).flat(),
    );
  return found;
}

function matchesOfOurs(program: LinearProgram, text: string): number[][] {
  const found: number[][] = [];
  for (let from = 0; found.length < 8 && program.search(text, from);) {
    found.push([...program.captures]);
    const [start = 0, end = 0] = program.captures;
    from = start === end ? end + 1 : end;
  }
  return found;
}

describe('a linear program', () => {
  test('finds in every sample what re2js finds, with every default pattern', () => {
    for (const source of sources) {
      const pattern = compile(source);
      const program = new LinearProgram(pattern);
      for (const text of samples) {
        // The answer of re2js costs most. If both find nothing, there is nothing to compare.
        if (!pattern.test(text) && !program.search(text)) continue;
        expect(matchesOfOurs(program, text), `${source}\n${text}`).toEqual(matchesOfRe2js(pattern, text));
      }
    }
  });

  test('finds what re2js finds for random patterns and texts (seed is printed on failure)', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'ab',
      '.',
      '[a-c]',
      '[^a]',
      '\\d',
      '\\b',
      '^',
      '$',
      '\\s',
      '₹',
      'é',
      'k',
      '\\W',
    );
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        atom,
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `${a}${b}`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
        tie('pattern').map((inner) => `(${inner})`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{0,3}', '{2,3}?'))
          .map(([inner, repeat]) => `(?:${inner})${repeat}`),
      ),
    }));
    const text = fc
      .array(fc.constantFrom('a', 'b', 'A', 'c', ' ', '1', '₹', 'É', '\u{1f600}', 'K', '\n'), {
        maxLength: 14,
      })
      .map((letters) => letters.join(''));
    fc.assert(
      fc.property(pattern, text, (source, line) => {
        const re2 = compile(source);
        expect(matchesOfOurs(new LinearProgram(re2), line)).toEqual(matchesOfRe2js(re2, line));
      }),
      { numRuns: 3_000 },
    );
  });

  test('ends where plain backtracking never would', () => {
    const program = new LinearProgram(compile('(?:a|a|a?)*(?:a*)*b'));
    // The limit is no measure of speed: without it, a fault would hang this process, where Vitest cannot end a test.
    const search = () => program.search('a'.repeat(1_600));
    expect(runInNewContext('search()', { search }, { timeout: 10_000 })).toBe(false);
  });
});

describe('the words a pattern needs', () => {
  const meets = (source: string, text: string): boolean =>
    new WordIndex(text).meets(conditionOf(needOf(source)));

  test('are in every text it matches', () => {
    for (const source of sources) {
      const pattern = compile(source);
      for (const text of samples) {
        if (!meets(source, text)) expect(pattern.test(text), `${source}\n${text}`).toBe(false);
      }
    }
  });

  test.each([
    ['credited to', 'credited to'],
    [String.raw`\bdebit(?:ed)?\b`, 'debit'],
    ['(?:rs|inr) due', { all: [{ any: ['rs', 'inr'] }, ' due'] }],
    ['(?:neft|.)x', undefined],
    ['(?:upi){0,2}', undefined],
    [String.raw`a\.b{2}c`, 'a.b'],
    [String.raw`\x41\x42`, undefined],
    ['(?-i)UPI', undefined],
    ['[]a]bc', 'bc'],
    ['₹', '₹'],
    ['É', undefined],
  ])('%s', (source, need) => expect(needOf(source)).toEqual(need));
});
