import { workApart } from '../../platform/apart.ts';
import { MINUTE } from '../../platform/clock.ts';
import { problem, type Problem } from '../../platform/files/problems.ts';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import type { Compared, ReportedMovement } from './compare.ts';
import type { StatementLine } from './read-statement.ts';

/** A job of the thread: to read a statement, or to compare one. */
export type StatementJob =
  | { readonly text: string; readonly country: 'IN' | 'KE' }
  | { readonly lines: readonly StatementLine[]; readonly told: readonly ReportedMovement[] };

const thread = new URL('./statement-thread.ts', import.meta.url);

/** 12,000 lines take 0.3 s to read and 0.3 s to compare (twice as long on two busy cores), so a thread of its own does it. */
const work = perPlatform(() =>
  workApart<StatementJob, (StatementLine | Problem | Compared)[]>(thread, {
    longest: MINUTE,
    mostWaiting: 16,
  }),
);

/** `readStatement` outside the node's main thread. 429 if too many statements wait. */
export async function readApart(
  platform: Platform,
  userId: bigint,
  text: string,
  country: 'IN' | 'KE',
): Promise<StatementLine[] | Problem[] | Refusal> {
  const read = await work(platform)(userId, { text, country });
  if (read === 'tooMany') return refuse('tooMany');
  return typeof read === 'string' ? [problem(0, 'unreadable')] : (read as StatementLine[] | Problem[]);
}

/** `compareStatement` outside the node's main thread. 429 if too many statements wait. */
export async function compareApart(
  platform: Platform,
  userId: bigint,
  lines: readonly StatementLine[],
  told: readonly ReportedMovement[],
): Promise<Compared[] | Refusal> {
  const compared = await work(platform)(userId, { lines, told });
  if (compared === 'tooMany') return refuse('tooMany');
  if (typeof compared === 'string') throw new Error(`the comparison of a statement ended: ${compared}`);
  return compared as Compared[];
}
