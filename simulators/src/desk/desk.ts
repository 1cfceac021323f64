import type { Currency } from '@sangam/contract/money.ts';
import type { DemoUser } from '../demo-file.ts';
import { act, showOrder } from '../console/act.ts';
import { createConsoleClient, type ConsoleClient } from '../console/console-client.ts';
import type { CallerStatistics } from '../patient-caller.ts';

/** The operator's people who matter to a run: one asks, another one decides. */
export interface Desk {
  readonly service: ConsoleClient;
  readonly admin: ConsoleClient;
  readonly superAdmin: ConsoleClient;
  /** Requests somebody else has approved. */
  readonly approved: () => number;
  /** Books money into a merchant's balance or a supplier's deposit that holds less than it: asked for by the service, approved by an admin. */
  topUp(owner: Owner, amount: number, requestKey: string, currency?: Currency): Promise<void>;
  /** Completes an order whose bank message never came, on the payer's UTR. */
  supplement(orderCode: string, utr: string, offset: boolean): Promise<void>;
  /** Its suppliers hand on more payouts in a minute than real ones in a day. */
  allowHandingOn(): Promise<void>;
  /** A superAdmin takes a paid order back at once; an admin's request waits for one. */
  reverse(taken: TakenBack): Promise<void>;
}

/** A paid order of either direction that is taken back. */
interface TakenBack {
  readonly of: 'order' | 'payoutOrder';
  readonly orderCode: string;
  /** An admin asks and a superAdmin approves. */
  readonly byTwo: boolean;
}

interface Owner {
  readonly ownerKind: 'merchant' | 'supplier';
  readonly ownerId: string;
}

interface Balance {
  readonly currency: Currency;
  readonly bucket: string;
  readonly balance: number;
}

const APPROVAL_NEEDED = 1205;
const PAID = [3, 4, 6];

export function openDesk(
  users: readonly DemoUser[],
  urls: readonly string[],
  statistics: CallerStatistics,
): Desk {
  const person = (role: DemoUser['role']) => {
    const user = users.find((each) => each.role === role);
    if (!user) throw new Error(`the demo world has no ${role}`);
    return createConsoleClient({ url: urls, user, statistics });
  };
  const [admin, superAdmin] = [person('admin'), person('superAdmin')];
  const service = { ...person('customerService'), second: admin };
  let approved = 0;

  async function askAndApprove(
    asker: ConsoleClient,
    decider: ConsoleClient,
    path: string,
    input: object,
  ): Promise<void> {
    const asked = await asker.post(path, input);
    // It is so already.
    if (asked.code === 200) return;
    if (asked.code !== APPROVAL_NEEDED) throw new Error(`${path}: ${asked.code} ${asked.msg}`);
    const decided = await decider.post('/v1.0/todo/decide', { id: asked.data['todoId'], approve: true });
    if (decided.code !== 200) throw new Error(`approval of ${path}: ${decided.code} ${decided.msg}`);
    approved += 1;
  }

  /** Of a merchant what is available, of a supplier the deposit. Minor units. */
  async function balanceOf({ ownerKind, ownerId }: Owner, currency: Currency): Promise<number> {
    const { data } = await admin.get(`/v1.0/${ownerKind}/getList`, { id: ownerId });
    const [row] = data['list'] as readonly { readonly balances: readonly Balance[] }[];
    const bucket = ownerKind === 'merchant' ? 'available' : 'deposit';
    return row?.balances.find((each) => each.currency === currency && each.bucket === bucket)?.balance ?? 0;
  }

  return {
    service,
    admin,
    superAdmin,
    approved: () => approved,
    async topUp(owner, amount, requestKey, currency = 'INR') {
      if ((await balanceOf(owner, currency)) >= amount) return;
      await askAndApprove(service, admin, '/v1.0/fundRecord/topUp', {
        ...owner,
        currency,
        amount,
        reason: 'Simulated: money to work with',
        requestKey,
      });
    },
    allowHandingOn: () =>
      askAndApprove(superAdmin, admin, '/v1.0/system-config/ClaimsGivenBackPerDay', { value: 10_000 }),
    supplement: (orderCode, utr, offset) =>
      act(service, {
        of: 'order',
        orderCode,
        path: '/v1.0/order/replenishmentOrder',
        input: { orderCode, utr, isOffsetReplenishmentOrder: offset },
        done: ({ orderStatusId }) => PAID.includes(orderStatusId),
      }),
    async reverse({ of, orderCode, byTwo }) {
      const path = '/v1.0/order/reverseOrder';
      const input = { orderCode, reason: 'Simulated: taken back' };
      if (!byTwo) return act(superAdmin, { of, orderCode, path, input, done: ({ reversed }) => reversed });
      // Asked again after an answer was lost, it may have been approved and done meanwhile.
      return askAndApprove(admin, superAdmin, path, input).catch(async (error: unknown) => {
        if (!(await showOrder(admin, of, orderCode))?.reversed) throw error;
      });
    },
  };
}
