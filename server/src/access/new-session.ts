import { DAY, MINUTE } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Stage, insertSession } from './session-store.ts';
import { hashToken, newToken } from './secret-token.ts';

export const LIFE: Readonly<Record<Stage, number>> = { full: DAY, binding: 15 * MINUTE };

/** The secrets of a session: the token of the header and, for browsers, the cookie that must accompany it. */
export interface SessionTokens {
  readonly token: string;
  readonly cookie: string;
}

export function newSessionTokens(): SessionTokens {
  return { token: newToken(), cookie: newToken() };
}

export async function openNewSession(
  platform: Platform,
  tx: Tx,
  session: {
    readonly userId: bigint;
    readonly stage: Stage;
    readonly ip: string;
    readonly userAgent: string;
    /** Opened by a browser: from then on the token is valid only with its cookie. */
    readonly needsCookie?: boolean;
  },
): Promise<SessionTokens> {
  const tokens = newSessionTokens();
  const now = platform.clock.now();
  await insertSession(tx, {
    ...session,
    needsCookie: session.needsCookie ?? false,
    userAgent: session.userAgent.slice(0, 512),
    id: platform.ids.next(),
    tokenHash: hashToken(tokens.token),
    cookieHash: hashToken(tokens.cookie),
    now,
    expiresAt: new Date(now.getTime() + LIFE[session.stage]),
  });
  return tokens;
}
