import type { DemoPayment } from '@sangam/contract/demo-payments.ts';
import { openAccount, type BankAccount } from '../bank/account-book.ts';
import type { Demo } from '../demo-file.ts';
import type { OrderLife } from '../order-life.ts';
import type { CallerStatistics } from '../patient-caller.ts';
import type { Prng } from '../prng.ts';
import { createMonitorClient } from './monitor-client.ts';
import { NOT_RESENT, startPhone, type Phone, type Resent } from './phone.ts';

/** A bank account of the demo world, with the phone that gets its bank's texts. */
export interface WatchedAccount {
  readonly account: BankAccount;
  readonly phone: Phone;
}

/** An account as a payment page shows it. */
type ShownAccount = Pick<DemoPayment, 'vpa' | 'accountNumber'>;

export interface Phones {
  readonly all: readonly Phone[];
  /** The phone that reported a message, by message id. */
  readonly byMessage: ReadonlyMap<string, Phone>;
  readonly byTail: ReadonlyMap<string, WatchedAccount>;
  /** The account that the order's payer was shown. */
  accountOf(order: OrderLife): WatchedAccount;
  /** Any other account. */
  otherThan(order: OrderLife): WatchedAccount;
  /** The account with this number or address, if the demo has it. */
  find(shown: ShownAccount): WatchedAccount | undefined;
  /** Totals of what the phones did when the server asked for their inboxes again. */
  resent(): Resent;
}

/** Opens one phone per monitor, with the accounts whose banks text it. `openings` are balances by account, in paise. */
export async function openPhones(
  demo: Demo,
  urls: readonly string[],
  statistics: CallerStatistics,
  random: Prng,
  onProblem: (error: unknown) => void,
  openings: ReadonlyMap<string, number> = new Map(),
): Promise<Phones> {
  const byTail = new Map<string, WatchedAccount>();
  const tailOfVpa = new Map<string, string>();
  const shuffle = <T>(items: readonly T[]): T[] =>
    items
      .map((item) => [random.next(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  const all: Phone[] = [];
  const byMessage = new Map<string, Phone>();
  for (const monitor of demo.monitors) {
    const client = createMonitorClient({ url: urls, ...monitor, statistics });
    const phone = await startPhone(client, shuffle, onProblem);
    const remembering: Phone = {
      ...phone,
      receive(message) {
        byMessage.set(message.messageId, phone);
        return phone.receive(message);
      },
    };
    all.push(remembering);
    for (const account of monitor.accounts) {
      tailOfVpa.set(account.vpa, account.accountTail);
      if (!byTail.has(account.accountTail)) {
        const opened = openAccount(account, random, openings.get(account.resourceId));
        byTail.set(account.accountTail, { account: opened, phone: remembering });
      }
    }
  }
  const find = ({ vpa, accountNumber }: ShownAccount) =>
    byTail.get(accountNumber?.slice(-4) ?? tailOfVpa.get(vpa ?? '') ?? '');
  const accountOf = (order: OrderLife): WatchedAccount => {
    const { payParams } = order.created!;
    const found = find(payParams);
    if (!found)
      throw new Error(
        `the page shows an account the demo does not have: ${payParams.accountNumber ?? payParams.vpa}`,
      );
    return found;
  };
  return {
    all,
    byMessage,
    byTail,
    find,
    resent: () =>
      all.reduce<Resent>(
        (sum, { resent: { asked, told, found, states } }) => ({
          asked: sum.asked + asked,
          told: sum.told + told,
          found: sum.found + found,
          states: [...sum.states, ...states],
        }),
        NOT_RESENT,
      ),
    accountOf,
    otherThan(order) {
      const others = [...byTail.values()].filter((each) => each !== accountOf(order));
      return others[order.plan.index % others.length]!;
    },
  };
}
