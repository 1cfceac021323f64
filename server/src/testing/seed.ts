import { randomInt } from 'node:crypto';

const SEED_IN_CI = 20_261_125;

/**
 * The seed of this run's random sequences. The test's name contains it, and SEED=… repeats a run. It is new every time, except in CI: there
 * every change is judged by the same sequences, so that a failure is caused by the change.
 */
export const SEED = Number(
  process.env['SEED'] ?? (process.env['CI'] === 'true' ? SEED_IN_CI : randomInt(2 ** 31)),
);

/** How many sequences a test tries: `usual`, times MODEL_FACTOR for a longer or shorter run, or exactly MODEL_RUNS. */
export function runsOf(usual: number): number {
  const exactly = process.env['MODEL_RUNS'];
  if (exactly !== undefined) return Number(exactly);
  return Math.max(1, Math.round(usual * Number(process.env['MODEL_FACTOR'] ?? 1)));
}
