import type { Locale } from '@sangam/contract/locale.ts';
import { audit } from '../platform/audit/record.ts';
import { MINUTE } from '../platform/clock.ts';
import { ipRules } from './ip-rules/ip-rules.ts';
import { merchantLimits } from './limits/limits.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { hashToken, tokenMatches } from './secret-token.ts';
import { idleLimit } from './idle.ts';
import {
  type SessionRow,
  type Stage,
  endSession,
  findOpenSession,
  markActive,
  markSeen,
} from './session-store.ts';

export interface SessionClaim {
  readonly token: string | undefined;
  readonly cookie: string | undefined;
  /** The caller is a browser and must send the cookie of the same session. */
  readonly needsCookie: boolean;
  readonly ip: string;
  readonly locale: Locale;
  /** Whether a person caused the call, not the console by itself. */
  readonly byHand: boolean;
}

export interface OpenSession {
  readonly row: SessionRow;
  readonly viewer: Viewer;
  readonly stage: Stage;
  readonly secondTokenHash: Buffer | null;
  readonly secondExpiresAt: Date | null;
}

/** Sessions that a node knows to be open without asking the database. */
export type RememberedSessions = (tokenHash: Buffer) => SessionRow | undefined;

/** The session of a token, or 1003 when no open session has it. */
export async function viewerOfSession(
  platform: Platform,
  claim: SessionClaim,
  remembered?: RememberedSessions,
): Promise<OpenSession | Refusal> {
  const { db, clock } = platform;
  if (!claim.token) return refuse('sessionExpired');
  const now = clock.now();
  const tokenHash = hashToken(claim.token);
  const known = remembered?.(tokenHash);
  const session = known ?? (await findOpenSession(db, tokenHash, now));
  if (!session) return refuse('sessionExpired');
  if (
    (claim.needsCookie || session.needsCookie) &&
    !(claim.cookie && tokenMatches(claim.cookie, session.cookieHash))
  ) {
    return refuse('sessionExpired');
  }
  const comer = { role: session.ownerRole, userId: session.ownerId };
  // In a session of `seeAs` the address rules of its own user hold, not those of the merchant it shows.
  const merchantId = session.seenFrom === null ? session.merchantId : null;
  if (
    !(await merchantLimits(platform).consoleAllows(merchantId, claim.ip)) ||
    !(await ipRules(platform).lets('console', claim.ip, comer))
  )
    return refuse('ipNotAllowed');
  // A remembered session is not checked here: when `endIdleSessions` ends it, this node learns of it within a second.
  if (!known && now.getTime() - session.activeAt.getTime() >= idleLimit(session.ownerRole))
    return refuse('sessionExpired');
  if (session.ip !== claim.ip && (await platform.settings.all()).EnableIpChangedCheck) {
    await endMoved(platform, session, claim.ip);
    return refuse('sessionExpired');
  }
  if (!known && now.getTime() - session.lastSeenAt.getTime() >= MINUTE)
    await db.tx((tx) => markSeen(tx, [session.id], now));
  if (!known && claim.byHand && now.getTime() - session.activeAt.getTime() >= MINUTE) {
    const both = session.seenFrom === null ? [session.id] : [session.id, session.seenFrom];
    await db.tx((tx) => markActive(tx, both, now));
  }
  return {
    row: session,
    viewer: {
      userId: session.userId,
      account: session.account,
      role: session.role,
      sessionId: session.id,
      merchantId: session.merchantId,
      supplierId: session.supplierId,
      ...(session.partyRole !== null && { partyRole: session.partyRole }),
      ip: claim.ip,
      locale: claim.locale,
      ...(session.seenFrom !== null && {
        seenBy: { userId: session.ownerId, account: session.ownerAccount, role: session.ownerRole },
      }),
    },
    stage: session.stage,
    secondTokenHash: session.secondTokenHash,
    secondExpiresAt: session.secondExpiresAt,
  };
}

async function endMoved(platform: Platform, session: SessionRow, ip: string): Promise<void> {
  await platform.db.tx(async (tx) => {
    await endSession(tx, session.id, platform.clock.now());
    await audit(platform, tx, {
      userId: session.ownerId,
      action: 'user.addressChanged',
      subject: `session:${session.id}`,
      before: { ip: session.ip },
      after: { ip },
      ip,
    });
  });
}

/** 1024 without a second-level token, 1025 with one that is wrong, expired or another session's. */
export function secondTokenProblem(
  session: OpenSession,
  token: string | undefined,
  now: Date,
): Refusal | undefined {
  if (!token) return refuse('secondPasswordNeeded');
  const { secondTokenHash, secondExpiresAt } = session;
  const valid =
    secondTokenHash !== null &&
    secondExpiresAt !== null &&
    secondExpiresAt > now &&
    tokenMatches(token, secondTokenHash);
  return valid ? undefined : refuse('secondPasswordWrong');
}
