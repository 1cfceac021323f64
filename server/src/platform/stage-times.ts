import type { PROFILE_STAGES } from '@sangam/contract/endpoints/profile.ts';
import { perPlatform } from './node-state.ts';
import type { Platform } from './platform.ts';

export type Stage = (typeof PROFILE_STAGES)[number];

interface Sample {
  readonly at: number;
  readonly ms: number;
}

/** How many calls of each stage are kept; newer calls overwrite older ones. */
const KEPT = 4_096;

const timesOf = perPlatform(() => new Map<Stage, { readonly samples: Sample[]; next: number }>());

/** Runs a call of a stage and keeps its duration in this node's memory. Only the profile uses it. */
export async function timed<Result>(
  platform: Platform,
  stage: Stage,
  work: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  try {
    return await work();
  } finally {
    const times = timesOf(platform);
    const ring = times.get(stage) ?? { samples: [], next: 0 };
    times.set(stage, ring);
    ring.samples[ring.next] = { at: platform.clock.now().getTime(), ms: performance.now() - started };
    ring.next = (ring.next + 1) % KEPT;
  }
}

/** Durations of a stage since a moment, in milliseconds, ascending. */
export function stageTimes(platform: Platform, stage: Stage, since: Date): number[] {
  const samples = timesOf(platform).get(stage)?.samples ?? [];
  return samples
    .filter((sample) => sample.at >= since.getTime())
    .map((sample) => sample.ms)
    .sort((a, b) => a - b);
}
