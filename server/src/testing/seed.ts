import { randomInt } from 'node:crypto';

/** Seed of this run's random sequences: new every time, so it stands in the test's name; SEED repeats a run. */
export const SEED = Number(process.env['SEED'] ?? randomInt(2 ** 31));

/** How many sequences a test tries: `usual`, or times MODEL_FACTOR for a longer or a shorter run, or exactly MODEL_RUNS. */
export function runsOf(usual: number): number {
  const exactly = process.env['MODEL_RUNS'];
  if (exactly !== undefined) return Number(exactly);
  return Math.max(1, Math.round(usual * Number(process.env['MODEL_FACTOR'] ?? 1)));
}
