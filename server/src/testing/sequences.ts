import * as fc from 'fast-check';
import { isDeepStrictEqual, inspect } from 'node:util';
import { runsOf, SEED } from './seed.ts';

/**
 * Random sequences of commands. A block of sequences lives in one world, each on its own rows. They advance together, step by step, so that
 * list-taking commands serve the whole block at once. SEQUENCE=<its number> repeats a failing sequence alone.
 */
export interface Machine<Life, Command> {
  readonly name: string;
  /** The number of sequences in a usual run. */
  readonly usual: number;
  readonly block: number;
  readonly command: fc.Arbitrary<Command>;
  readonly steps: { readonly min: number; readonly max: number };
  /** Makes what each sequence acts on. The sequence's number may decide what that is. */
  begin(seeds: readonly number[]): Promise<Life[]>;
  /** Performs one step of every sequence that still has steps. */
  round(turns: readonly Turn<Life, Command>[], runs: readonly Run<Life>[], round: number): Promise<void>;
  /** Compares what is stored with what every sequence expects by now. */
  compare(runs: readonly Run<Life>[]): Promise<void>;
  /** Checks invariants of the whole database. */
  end(): Promise<void>;
}

export class Run<Life> {
  readonly #machine: string;
  readonly #seed: number;
  readonly life: Life;
  readonly trail: unknown[] = [];

  constructor(machine: string, seed: number, life: Life) {
    this.#machine = machine;
    this.#seed = seed;
    this.life = life;
  }

  is(actual: unknown, expected: unknown): boolean {
    return isDeepStrictEqual(actual, expected);
  }

  /** Fails with everything needed to repeat the failure. */
  same(what: string, actual: unknown, expected: unknown): void {
    if (this.is(actual, expected)) return;
    const show = (value: unknown) => inspect(value, { depth: 6, breakLength: 140 });
    throw new Error(
      `${this.#machine}, SEQUENCE=${this.#seed}: ${what} is ${show(actual)}, expected ${show(expected)}\n` +
        this.trail.map((step, index) => `  ${index + 1}. ${show(step)}`).join('\n'),
    );
  }
}

export interface Turn<Life, Command> {
  readonly run: Run<Life>;
  readonly life: Life;
  readonly command: Command;
}

/** The name of a test, which says how to repeat the run. */
export function named(what: string, usual: number): string {
  return `${what} (${runsOf(usual)} sequences, SEED=${SEED})`;
}

export async function runSequences<Life, Command>(machine: Machine<Life, Command>): Promise<void> {
  const alone = process.env['SEQUENCE'];
  const seeds =
    alone === undefined
      ? Array.from({ length: runsOf(machine.usual) }, (_, index) => (SEED + index) % 2 ** 31)
      : [Number(alone)];
  const { min: minLength, max: maxLength } = machine.steps;
  const commands = fc.array(machine.command, { minLength, maxLength });
  let blocks = 0;
  for (let first = 0, next = 0; first < seeds.length; first = next) {
    // A block begins at a multiple of its length, so that its world gets the same first number when a sequence runs alone.
    next = first + machine.block - (seeds[first]! % machine.block);
    const block = seeds.slice(first, next);
    const sequences = block.map((seed) => fc.sample(commands, { seed, numRuns: 1 })[0]!);
    const lives = await machine.begin(block);
    const runs = block.map((seed, index) => new Run(machine.name, seed, lives[index]!));
    const rounds = Math.max(...sequences.map(({ length }) => length));
    for (let round = 0; round < rounds; round += 1) {
      const turns = runs.flatMap((run, index): Turn<Life, Command>[] => {
        const command = sequences[index]![round];
        if (command === undefined) return [];
        run.trail.push(command);
        return [{ run, life: run.life, command }];
      });
      await machine.round(turns, runs, round);
      await machine.compare(runs);
    }
    blocks += 1;
    // After blocks 1, 2, 4, 8 … and the last: nothing is deleted, and each time everything is read. After every block, that took 11 % of
    // 2,000 sequences of the attacker and a third of 5,000 of the ledger, and the share grows with their number.
    if (Number.isInteger(Math.log2(blocks)) || next >= seeds.length) await machine.end();
  }
}

/** As many at once as a node has connections. */
const AT_ONCE = 8;

export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
  atOnce = AT_ONCE,
): Promise<void> {
  const open = items.entries();
  const worker = async () => {
    for (const [index, item] of open) await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
