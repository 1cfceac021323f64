import { useCallback, useEffect, useState } from 'preact/hooks';
import { payout as calls } from 'virtual:endpoints/payout';
import type { getPaying, PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import type { z } from 'zod';
import { call } from './call.ts';

type Said = z.infer<(typeof getPaying)['output']>;
type Account = Said['accounts'][number];

export interface Paying {
  /** Empty until the server has answered, and for a supplier without accounts. */
  readonly accounts: readonly Account[];
  readonly chosen: string | undefined;
  readonly choose: (accountId: string) => void;
  /** How many slips the payout had when the server was asked. */
  readonly slips: number;
  /** Resolves to the chosen account, after asking the server if needed; null where there is nothing to choose from. */
  readonly known: () => Promise<string | null | undefined>;
}

/** The account that the supplier pays a claimed payout from. Until the supplier chooses: the only account, or the one it used last. */
export function usePaying(order: PayoutOrderRow): Paying {
  const { orderCode } = order;
  const [said, setSaid] = useState<Said>();
  const [touched, setTouched] = useState<string>();
  const read = useCallback(async () => {
    const answer = await call(calls.getPaying, { orderCode });
    setSaid(answer);
    return answer;
  }, [orderCode]);
  // `order` is a new object every few seconds, so a failed request is repeated.
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
