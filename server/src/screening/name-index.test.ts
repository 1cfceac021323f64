import { expect, test } from 'vitest';
import { runsOf, SEED } from '../testing/seed.ts';
import { COMMON_NAMES } from './common-names.ts';
import { likeness } from './likeness.ts';
import { HIT_FROM, NameIndex, NEAR_FROM } from './name-index.ts';
import { chanceOf, makeName, VARIATIONS } from './test-names.ts';
import { fold } from './fold.ts';
import { tokensOf } from './tokens.ts';

/* The rules of NameIndex again, without tables, hashes and memory: it compares every listed name with every name asked for. */
interface Plain {
  readonly entry: number;
  readonly name: string;
  readonly words: readonly string[];
  readonly keys: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
}

const soundsOf = (text: string) =>
  (text.slice(0, 1).replace(/[eiou]/, 'a') + text.slice(1).replace(/[aeiouh]/g, ''))
    .replaceAll('v', 'b')
    .replace(/(.)\1+/g, '$1');

/** A text of sounds; for a longer text also all texts that lack one sound. */
function partsOf(text: string): string[] {
  const sounds = soundsOf(text);
  if (sounds.length < 4) return [sounds];
  return [sounds, ...Array.from(sounds, (_, at) => sounds.slice(0, at) + sounds.slice(at + 1))];
}

/** The keys of a name. Two names are compared only when they share one. */
function keysOf(words: readonly string[]): Set<string> {
  const whole = words.filter((word) => word.length > 1);
  const keys = new Set(whole.length === 1 ? partsOf(whole[0]!) : []);
  for (const [at, word] of words.entries())
    for (const other of words.slice(0, at))
      for (const [one, two] of [
        [word, other],
        [other, word],
      ] as const)
        for (const part of partsOf(one)) keys.add([soundsOf(two), part].sort().join(' '));
  return keys;
}

const sharesAny = (all: ReadonlySet<string>, some: ReadonlySet<string>) =>
  [...some].some((key) => all.has(key));

function plainOf(entry: number, name: string): Plain {
  const words = tokensOf(name).map(fold);
  const [joined, backwards] = [words.join(''), words.toReversed().join('')];
  const runs = new Set(joined.length > 5 ? [...partsOf(joined), ...partsOf(backwards)] : []);
  return { entry, name, words, keys: keysOf(words), runs };
}

const common = new Set(COMMON_NAMES.map(fold));
const weightOf = (word: string) => (word.length === 1 ? 40 : common.has(word) ? 65 : 100);

function plainComparison(all: readonly Plain[]) {
  const known = new Set([...common, ...all.flatMap(({ words }) => words)]);

  function alike(word: string, listed: string): number {
    if (word === listed) return 1;
    const reached =
      likeness(word, listed, 0) * ((known.has(word) ? 0.8 : 1) * (word[0] === listed[0] ? 1 : 0.9));
    const isInitial = word.length === 1 && listed.startsWith(word);
    return Math.max(reached >= 0.72 ? reached : 0, isInitial ? 0.9 : 0);
  }
  function score(asked: readonly string[], listed: readonly string[]): number {
    const left = [...listed];
    let both = 0;
    let sum = listed.reduce((weights, word) => weights + weightOf(word), 0);
    for (const word of asked) {
      const found = left.map((other) => alike(word, other));
      const most = Math.max(0, ...found);
      if (most === 0) sum += weightOf(word);
      else {
        const [other] = left.splice(found.indexOf(most), 1);
        const weight = word.length === 1 ? 40 : weightOf(other!);
        sum += weight;
        both += weight * most;
      }
    }
    return (2 * both) / sum;
  }
  function joinedScore(asked: readonly string[], listed: readonly string[]): number {
    const isAnother =
      asked.length === listed.length && asked.some((word) => known.has(word) && !listed.includes(word));
    const runs = [asked.join(''), asked.toReversed().join('')];
    return isAnother ? 0 : Math.max(...runs.map((run) => likeness(run, listed.join(''), 0)));
  }
  /** The best of these from `NEAR_FROM` on. Of equal ones the first. */
  function best(among: readonly Plain[], scoreOf: (words: readonly string[]) => number) {
    const scored = among.map(({ entry, name, words }) => ({ entry, name, score: scoreOf(words) }));
    const most = Math.max(NEAR_FROM, ...scored.map((each) => each.score));
    return scored.find((each) => each.score === most);
  }
  return (name: string, counts: (entry: number) => boolean) => {
    const { words, keys } = plainOf(-1, name);
    const counted = all.filter(({ entry }) => counts(entry));
    const byWords = best(
      counted.filter((each) => sharesAny(each.keys, keys)),
      (listed) => score(words, listed),
    );
    if ((byWords?.score ?? 0) >= HIT_FROM) return byWords;
    const joined = words.join('');
    if (joined.length <= 5) return byWords;
    const run = new Set(partsOf(joined));
    const byJoined = best(
      counted.filter((each) => sharesAny(each.runs, run)),
      (listed) => joinedScore(words, listed),
    );
    return (byJoined?.score ?? 0) > (byWords?.score ?? 0) ? byJoined : byWords;
  };
}

const LISTED = 300;
const NAMES = runsOf(4_000);

test(`the index finds what a comparison with every listed name finds (${NAMES} names, SEED=${SEED})`, () => {
  const chance = chanceOf(SEED);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(chance() * items.length)]!;
  const initial = (name: string) => name.replace(/^(.)\S*/, '$1.');
  const variations = [...Object.values(VARIATIONS), (_: unknown, name: string) => initial(name)];
  const vary = (name: string) => pick(variations)(chance, name);
  const listed = Array.from({ length: LISTED }, () => makeName(chance));
  // Adds short names, repeated names and names that differ by little.
  listed.push(...listed.slice(0, 20).map((name) => name.split(' ')[0]!), ...listed.slice(0, 60).map(vary));
  const index = new NameIndex();
  for (const [entry, name] of listed.entries()) index.add({ entry, name });
  const compare = plainComparison(listed.map((name, entry) => plainOf(entry, name)));
  const wrong: unknown[] = [];
  let found = 0;
  for (let run = 0; run < NAMES; run += 1) {
    const name = chance() < 0.3 ? makeName(chance) : vary(chance() < 0.5 ? vary(pick(listed)) : pick(listed));
    const counts = chance() < 0.8 ? () => true : (entry: number) => entry % 3 !== 0;
    const [ours, plain] = [index.find(name, counts), compare(name, counts)];
    if (plain) found += 1;
    if (ours?.entry !== plain?.entry || ours?.score !== plain?.score) wrong.push({ name, ours, plain });
  }
  expect(wrong).toEqual([]);
  expect(found).toBeGreaterThan(NAMES / 3);
});
