import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { payout as calls } from 'virtual:endpoints/payout';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { session } from '../session/session.ts';
import { call, messageOf } from './call.ts';
import { keep, readKept } from './kept.ts';

const EVERY_MS = 5_000;
export const MOST_CARDS = 100;

const { waiting, preparing, inProgress, toBeConfirmed, submitted } = PAYOUT_STATUS;
const UNDER_WAY = [preparing, inProgress, toBeConfirmed, submitted].join(',');

interface Cards {
  readonly available: readonly PayoutOrderRow[] | undefined;
  readonly mine: readonly PayoutOrderRow[] | undefined;
  /** There are more payouts than shown. */
  readonly isCut: boolean;
  /** When the server sent the data, in milliseconds; undefined before the first answer. */
  readonly at: number | undefined;
  /** Why the shown data is out of date. */
  readonly problem: string | undefined;
}

/** Reads the payouts to claim and the claimed ones, again and again while the page is visible. */
export function useCards(viewer: UserInfo): Cards & { readonly again: () => Promise<void> } {
  const [cards, setCards] = useState<Cards>(() => {
    const kept = readKept();
    return { available: kept?.available, mine: kept?.mine, at: kept?.at, isCut: false, problem: undefined };
  });
  const asked = useRef(0);

  const again = useCallback(async () => {
    asked.current += 1;
    const mine = asked.current;
    const token = session.token();
    const read = (orderStatusId: string) =>
      call(calls.getPayoutList, { orderStatusId, pageSize: MOST_CARDS });
    const next = await Promise.all([read(String(waiting)), read(UNDER_WAY)]).then(
      ([offered, claimed]) => ({
        available: offered.list.filter(({ actions }) => actions.includes('claim')),
        // Leaves out payouts that a bank batch or a gateway pays: the supplier can do nothing with them here.
        mine: claimed.list.filter(({ claim, actions }) => claim === 'mine' && actions.length > 0),
        isCut: offered.nextCursor !== null || claimed.nextCursor !== null,
        at: Date.now(),
        problem: undefined,
      }),
      (error: unknown) => ({ problem: messageOf(error) }),
    );
    // A later request or another session has replaced this one.
    if (mine !== asked.current || token === undefined || token !== session.token()) return;
    if ('at' in next) keep({ token, viewer, ...next });
    setCards((before) => ({ ...before, ...next }));
  }, [viewer]);

  useEffect(() => {
    const look = () => {
      if (!document.hidden) void again();
    };
    look();
    const timer = setInterval(look, EVERY_MS);
    document.addEventListener('visibilitychange', look);
    addEventListener('online', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', look);
      asked.current += 1;
    };
  }, [again]);

  return { ...cards, again };
}
