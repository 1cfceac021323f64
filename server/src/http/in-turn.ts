import type { FastifyReply } from 'fastify';
import { comeAgainIn } from './call-rates.ts';
import type { fairTurns } from './fair-turns.ts';

/** Runs the work in the caller's turn. Answers 429 when too many calls wait already, of this caller or in all. */
export async function inTurn(
  turns: ReturnType<typeof fairTurns>,
  who: string,
  { raw }: FastifyReply,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const end = await turns.take(who);
  if (!end) return comeAgainIn(1);
  try {
    // If the caller has hung up in the meantime, the work is not done. Work that nobody waits for keeps an overloaded node from recovering.
    return raw.destroyed ? comeAgainIn(1) : await work();
  } finally {
    end();
  }
}
