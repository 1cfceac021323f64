import type { Currency } from '@sangam/contract/money.ts';
import type { DemoUser } from '../demo-file.ts';
import { act, showOrder } from '../console/act.ts';
import { createConsoleClient, type ConsoleClient } from '../console/console-client.ts';
import type { CallerStatistics } from '../patient-caller.ts';

/** The staff that a run needs: one makes requests, another approves them. */
export interface Desk {
  readonly service: ConsoleClient;
  readonly admin: ConsoleClient;
  readonly superAdmin: ConsoleClient;
  /** How many requests a second person has approved. */
  readonly approved: () => number;
  /**
   * Tops up a merchant's balance or a supplier's deposit that holds less than `amount`. Customer service requests it, an admin
   * approves.
   */
  topUp(owner: Owner, amount: number, requestKey: string, currency?: Currency): Promise<void>;
  /** Completes an order whose bank message never came, with the payer's UTR. */
  supplement(orderCode: string, utr: string, offset: boolean): Promise<void>;
  /** Raises the limit of payouts given back: the simulated suppliers give back more in a minute than real ones in a day. */
  allowHandingOn(): Promise<void>;
  /** Reverses a paid order: an admin asks and a superAdmin approves. */
  reverse(taken: TakenBack): Promise<void>;
}

/** A paid order of either direction to reverse. */
interface TakenBack {
  readonly of: 'order' | 'payoutOrder';
  readonly orderCode: string;
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
    // The setting has this value already.
    if (asked.code === 200) return;
    if (asked.code !== APPROVAL_NEEDED) throw new Error(`${path}: ${asked.code} ${asked.msg}`);
    const decided = await decider.post('/v1.0/todo/decide', { id: asked.data['todoId'], approve: true });
    if (decided.code !== 200) throw new Error(`approval of ${path}: ${decided.code} ${decided.msg}`);
    approved += 1;
  }

  /** The available balance of a merchant, or the deposit of a supplier, in minor units. */
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
      askAndApprove(superAdmin, admin, '/v1.0/system-config/ClaimsGivenBackPerDay', {
        value: 10_000,
        reason: 'Simulated: suppliers hand on many payouts',
      }),
    supplement: (orderCode, utr, offset) =>
      act(service, {
        of: 'order',
        orderCode,
        path: '/v1.0/order/replenishmentOrder',
        input: { orderCode, utr, isOffsetReplenishmentOrder: offset },
        done: ({ orderStatusId }) => PAID.includes(orderStatusId),
      }),
    reverse({ of, orderCode }) {
      const input = { orderCode, reason: 'Simulated: taken back' };
      // After a lost answer the request may have been approved and done already.
      return askAndApprove(admin, superAdmin, '/v1.0/order/reverseOrder', input).catch(
        async (error: unknown) => {
          if (!(await showOrder(admin, of, orderCode))?.reversed) throw error;
        },
      );
    },
  };
}
