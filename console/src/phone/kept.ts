import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import { session } from '../session/session.ts';

const KEY = 'sangam.phone.kept';

/** What was last seen, to be read without a connection. Nothing is ever done from it. */
export interface Kept {
  readonly token: string;
  readonly viewer: UserInfo;
  /** When the server said so, in milliseconds. */
  readonly at: number;
  readonly available: readonly PayoutOrderRow[];
  readonly mine: readonly PayoutOrderRow[];
}

/** Of this session only. */
export function readKept(): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null;
    return kept && kept.token === session.token() ? kept : undefined;
  } catch {
    return undefined;
  }
}

export function keep(kept: Kept): void {
  if (kept.token !== session.token()) return;
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A full store: without a connection there is nothing to read then.
    localStorage.removeItem(KEY);
  }
}

/** Payees' names and accounts leave the phone with the session. */
export const forgetKept = (): void => localStorage.removeItem(KEY);
