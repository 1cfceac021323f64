import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import type { Party } from './party.ts';
import { nameScreen, type Place } from './screen.ts';

/** Refuses (1108) a person on a list of names who would become a party, or be verified as one. */
export async function listedProblem(
  platform: Platform,
  party: Party,
  place: Place,
  subject: string,
): Promise<Refusal | undefined> {
  const names = await nameScreen(platform).ready();
  return names.hit(party, place, subject) ? refuse('nameBlacklisted') : undefined;
}
