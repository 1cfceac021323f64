import { useCallback, useEffect, useState } from 'preact/hooks';
import { payout as calls } from 'virtual:endpoints/payout';
import type { getPaying, PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import type { z } from 'zod';
import { call } from './call.ts';

type Said = z.infer<(typeof getPaying)['output']>;
type Account = Said['accounts'][number];

export interface Paying {
  /** None before the server has said which there are, and where the supplier has none. */
  readonly accounts: readonly Account[];
  readonly chosen: string | undefined;
  readonly choose: (accountId: string) => void;
  /** Slips the server had when it was asked. */
  readonly slips: number;
  /** The chosen account once the server has said which there are; null where there is nothing to choose. */
  readonly known: () => Promise<string | null | undefined>;
}

/** From which of its accounts the supplier pays a claimed payout: the only one, or the one it paid from last, until it chooses. */
export function usePaying(order: PayoutOrderRow): Paying {
  const { orderCode } = order;
  const [said, setSaid] = useState<Said>();
  const [touched, setTouched] = useState<string>();
  const read = useCallback(async () => {
    const answer = await call(calls.getPaying, { orderCode });
    setSaid(answer);
    return answer;
  }, [orderCode]);
  // The lists bring another object every few seconds: what failed is asked again.
  useEffect(() => {
    if (!said) read().catch(() => undefined);
  }, [order, read, said]);
  const chosenOf = ({ accounts, accountId }: Said) =>
    touched ?? accountId ?? (accounts.length === 1 ? accounts[0]!.accountId : undefined);
  return {
    accounts: said?.accounts ?? [],
    chosen: said && chosenOf(said),
    choose: setTouched,
    slips: said?.slips ?? 0,
    async known() {
      const answer = said ?? (await read());
      return answer.accounts.length === 0 ? null : chosenOf(answer);
    },
  };
}
