import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import { session } from '../session/session.ts';

const KEY = 'sangam.phone.kept';

/** The data shown last, for reading without a connection. No action ever uses it. */
export interface Kept {
  readonly token: string;
  readonly viewer: UserInfo;
  /** When the server sent the data, in milliseconds. */
  readonly at: number;
  readonly available: readonly PayoutOrderRow[];
  readonly mine: readonly PayoutOrderRow[];
}

/** The kept data, if it is from the current session. */
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
    // The storage is full. Without a connection there will then be nothing to read.
    localStorage.removeItem(KEY);
  }
}

/** Removes the payees' names and accounts from the phone when the session ends. */
export const forgetKept = (): void => localStorage.removeItem(KEY);
