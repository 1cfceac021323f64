import { audit } from '../platform/audit/record.ts';
import { MINUTE } from '../platform/clock.ts';
import { type Tx } from '../platform/db/database.ts';
import { sourceOf } from '../platform/net/source.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import { countFailure, deleteFailuresBefore, findLock, forgetFailures } from './failure-store.ts';
import { hasSignedInFrom } from './session-store.ts';
import { takeTurn } from './turns.ts';

const MOST_FAILURES = 5;
const LOCK = 15 * MINUTE;

/** Who tries. A lock is for one account from one source, so that a stranger cannot lock an operator out. */
interface Attempt {
  readonly account: string;
  readonly ip: string;
  readonly source: string;
  readonly userId: bigint | null;
}

/** The key under which wrong second-level passwords are counted, separate from sign-in. */
export function secondLevel(account: string): string {
  return `2:${account}`;
}

/**
 * Runs one attempt at a secret; refused while locked. A refusal of `attempt` counts as a failure, and five within 15 minutes
 * lock for 15 minutes. The count is committed although the attempt is refused. `attempt` reports the user it found, for the
 * audit, and clears the count itself once everything is right (`clearFailures`).
 */
export async function withLockOut<Result>(
  platform: Platform,
  account: string,
  ip: string,
  attempt: (found: (userId: bigint) => void) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const key = account.toLowerCase();
  const source = sourceOf(ip);
  const outcome = await takeTurn(platform, key, source, async () => {
    if (await findLock(platform.db, key, source, platform.clock.now())) return refuse('lockedOut');
    let userId: bigint | null = null;
    const result = await attempt((found) => {
      userId = found;
    });
    if (isRefusal(result)) await recordFailure(platform, { account: key, ip, source, userId }, result);
    return result;
  });
  return outcome ?? refuse('tooMany');
}

/** Means all sources together. */
const EVERYWHERE = '*';
/** How many wrong ones, from all strange sources together within 15 minutes, lock those sources out of an account for 15 minutes. */
const MOST_OF_STRANGERS = { wrongPassword: 100, wrongGoogleCode: 20 } as const;
const KEY_OF_STRANGERS = { wrongPassword: 'all', wrongGoogleCode: 'code' } as const;

/**
 * Wrong passwords and codes also count over all sources that the account has never signed in from, so that a thousand addresses
 * can guess no more than a few. For the owner's known sources only the lock of that source holds, so strangers lock no owner
 * out.
 */
export async function withStrangersLimit<Result>(
  platform: Platform,
  { account, ip, userId }: Omit<Attempt, 'source'>,
  about: keyof typeof MOST_OF_STRANGERS,
  attempt: () => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  if (userId !== null && (await hasSignedInFrom(platform.db, userId, sourceOf(ip)))) return attempt();
  const key = `${KEY_OF_STRANGERS[about]}:${account.toLowerCase()}`;
  const limited = async () => {
    if (await findLock(platform.db, key, EVERYWHERE, platform.clock.now())) return refuse('lockedOut');
    const result = await attempt();
    const isWrong = isRefusal(result) && result.code === about;
    if (isWrong)
      await recordFailure(
        platform,
        { account: key, ip, source: EVERYWHERE, userId },
        result,
        MOST_OF_STRANGERS[about],
      );
    return result;
  };
  // There are few possible codes, so a burst of guesses must not pass between check and count.
  if (about === 'wrongPassword') return limited();
  return (await takeTurn(platform, key, EVERYWHERE, limited)) ?? refuse('tooMany');
}

async function recordFailure(
  platform: Platform,
  attempt: Attempt,
  refusal: Refusal,
  most = MOST_FAILURES,
): Promise<void> {
  platform.log.info({ account: attempt.account, ip: attempt.ip, refusal: refusal.code }, 'sign-in refused');
  await platform.db.tx(async (tx) => {
    const now = platform.clock.now();
    const failures = await countFailure(tx, {
      account: attempt.account,
      source: attempt.source,
      now,
      forgottenBefore: new Date(now.getTime() - LOCK),
      most,
      lockedUntil: new Date(now.getTime() + LOCK),
    });
    const { userId, account, ip } = attempt;
    const subject = `user:${account}`;
    // Only existing accounts are audited. Account names that strangers invent are in the log.
    if (userId !== null)
      await audit(platform, tx, {
        userId,
        action: 'user.signInRefused',
        subject,
        after: { reason: refusal.code },
        ip,
      });
    if (failures === most) await audit(platform, tx, { userId, action: 'user.lockOut', subject, ip });
  });
}

/** Forgets earlier failures after a success, in the transaction that grants the request. */
export async function clearFailures(tx: Tx, account: string, ip: string): Promise<void> {
  await forgetFailures(tx, account.toLowerCase(), sourceOf(ip));
  await forgetFailures(tx, `${KEY_OF_STRANGERS.wrongGoogleCode}:${account.toLowerCase()}`, EVERYWHERE);
}

/** Deletes failures that no longer count; a sweep calls it. */
export async function sweepFailures(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  await platform.db.tx((tx) => deleteFailuresBefore(tx, new Date(now.getTime() - LOCK), now));
}
