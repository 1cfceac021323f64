import { perPlatform } from './node-state.ts';

/** The last round of a loop on this node. */
export interface LoopRound {
  readonly name: string;
  /** The pause from the end of one round to the start of the next, ms. */
  readonly everyMs: number;
  /** When the last round began, ms since 1970. Null: no round yet. */
  ranAt: number | null;
  /** How long the last round took, ms. */
  ms: number | null;
  failure: string | null;
}

/** The loops of this node, in the order in which they started. */
export const loopRounds = perPlatform(() => new Map<string, LoopRound>());
