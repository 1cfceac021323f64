import { createHash } from 'node:crypto';
import type { saveErrorLogger } from '@sangam/contract/endpoints/error-log.ts';
import { businessDay } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { MINUTE } from '../../platform/clock.ts';
import { perPlatform } from '../../platform/node-state.ts';
import { maskText } from '../../platform/masking.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { upsertError } from './store.ts';

/**
 * A console that fails in a loop must not fill the disk. So there is a limit of reports a minute (on each node) and of different errors a
 * day.
 */
const MOST_A_MINUTE = 30;
const MOST_A_DAY = 200;
const LONGEST_AGENT = 300;
/** The lengths that the table allows. Masking may lengthen a text. */
const LONGEST = { message: 1000, stack: 4000 } as const;

const budgets = perPlatform(() => new Map<bigint, { readonly since: number; used: number }>());

/**
 * Records an error in the viewer's console, one row a day with a count. Personal data and texts that look like tokens are masked, because
 * error texts quote whatever they met.
 */
export async function saveError(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof saveErrorLogger.input>,
  userAgent: string,
): Promise<Record<string, never> | Refusal> {
  const at = platform.clock.now();
  if (!spend(platform, viewer.userId, at.getTime())) return refuse('tooMany');
  const message = clean(input.mes, LONGEST.message);
  const stack = input.stack === undefined ? null : clean(input.stack, LONGEST.stack);
  const fingerprint = createHash('sha256')
    // The same error of two orders differs only in digits.
    .update([input.type, input.code, message.replace(/\d+/g, '#'), stack ?? ''].join('\0'))
    .digest();
  const entry = {
    id: platform.ids.next(),
    userId: viewer.userId,
    day: businessDay(at),
    kind: input.type,
    code: input.code,
    message,
    // The query of a URL holds what somebody searched for, so it is dropped.
    url: input.url.split('?')[0]!,
    stack,
    userAgent: userAgent.slice(0, LONGEST_AGENT),
    fingerprint,
    at,
  };
  await platform.db.tx((tx) => upsertError(tx, entry, MOST_A_DAY));
  return {};
}

function spend(platform: Platform, userId: bigint, now: number): boolean {
  const all = budgets(platform);
  for (const [id, { since }] of all) if (now - since >= MINUTE) all.delete(id);
  const budget = all.get(userId) ?? { since: now, used: 0 };
  all.set(userId, budget);
  budget.used += 1;
  return budget.used <= MOST_A_MINUTE;
}

function clean(text: string, longest: number): string {
  // Tokens are 43 characters of base64url. Card and account numbers are runs of digits.
  return maskText(text.replaceAll('\0', ''), null)
    .replace(/[\w-]{40,}/g, '***')
    .replace(/\d{9,}/g, (digits) => `***${digits.slice(-4)}`)
    .slice(0, longest);
}
