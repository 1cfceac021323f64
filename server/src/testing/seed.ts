import { randomInt } from 'node:crypto';

const SEED_IN_CI = 20_261_125;

/**
 * Seed of this run's random sequences; it stands in the test's name, and SEED repeats a run. It is new every time,
 * except in CI: there a failure must be the fault of the change, so every change is judged by the same sequences.
 */
export const SEED = Number(
  process.env['SEED'] ?? (process.env['CI'] === 'true' ? SEED_IN_CI : randomInt(2 ** 31)),
);

/** How many sequences a test tries: `usual`, or times MODEL_FACTOR for a longer or a shorter run, or exactly MODEL_RUNS. */
export function runsOf(usual: number): number {
  const exactly = process.env['MODEL_RUNS'];
  if (exactly !== undefined) return Number(exactly);
  return Math.max(1, Math.round(usual * Number(process.env['MODEL_FACTOR'] ?? 1)));
}
