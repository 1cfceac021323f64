import { perPlatform } from './node-state.ts';

/** What a loop of this node did last. */
export interface LoopRound {
  readonly name: string;
  /** From the end of one round to the start of the next. */
  readonly everyMs: number;
  /** When its last round began, ms since 1970; null: not yet. */
  ranAt: number | null;
  /** How long that took. */
  ms: number | null;
  failure: string | null;
}

/** The loops of this node, in the order in which they were begun. */
export const loopRounds = perPlatform(() => new Map<string, LoopRound>());
