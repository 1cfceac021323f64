import { loadavg } from 'node:os';

/** The most seconds for warming up one side: half of a round that takes minutes would be too long. */
const MOST_WARM_UP = 20;

/** One side of a comparison. It runs for about `seconds` and returns its figure. */
export interface Side {
  readonly name: string;
  /** Printed after the figure; '/s' when absent. */
  readonly unit?: string;
  run(seconds: number): Promise<number>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const spread = (values: readonly number[]) =>
  `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`;

/**
 * Measures two sides in turn (A B A B …) after one warm-up of each, and prints the ratio A/B of each round. Both halves of a pair
 * then meet the same load on a shared machine.
 */
export async function compare(
  a: Side,
  b: Side,
  options: { rounds: number; seconds: number },
): Promise<number> {
  const warmUp = Math.min(options.seconds / 2, MOST_WARM_UP);
  await a.run(warmUp);
  await b.run(warmUp);
  const rates: [number, number][] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    rates.push([await a.run(options.seconds), await b.run(options.seconds)]);
    const [first, second] = rates.at(-1)!;
    console.log(
      `  round ${round + 1}: ${first.toFixed(1)} / ${second.toFixed(1)} = ${(first / second).toFixed(2)}`,
    );
  }
  const ratios = rates.map(([first, second]) => first / second);
  console.log(`${a.name} over ${b.name}: ${spread(ratios)}, load ${loadavg()[0]!.toFixed(1)}`);
  console.log(`  ${a.name}: ${spread(rates.map(([first]) => first))}${a.unit ?? '/s'}`);
  console.log(`  ${b.name}: ${spread(rates.map(([, second]) => second))}${b.unit ?? '/s'}`);
  return median(ratios);
}
