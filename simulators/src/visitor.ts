import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoPayment } from '@sangam/contract/demo-payments.ts';
import { createReferences, naming } from './bank/account-book.ts';
import type { Phones, WatchedAccount } from './monitor/phones.ts';

export interface Visitor {
  /** Pays as soon as there are phones. */
  pay(payment: DemoPayment): void;
  /** Sets the phones of the new round; undefined when the round is over. */
  turnTo(phones: Phones | undefined): void;
}

const PAYER = 'Asha Rao';
const FRIEND = 'Ravi Kumar';
/** Milliseconds until a bank's late message comes. */
const LATE_MS = 30_000;
/** Pause between two payments of one visitor, in milliseconds. */
const AGAIN_MS = 3_000;

/** Makes the payments that visitors of the demo ask for. The bank's messages go the same way as all others. */
export function createVisitor(onProblem: (error: unknown) => void): Visitor {
  const references = createReferences(new Date());
  const waiting: DemoPayment[] = [];
  let phones: Phones | undefined;
  let count = 0;

  async function transfer({ account, phone }: WatchedAccount, amount: number, payerName: string, ms: number) {
    const at = new Date();
    const wording = naming(account, { reference: references.rrn(), payerName, variant: 0, at });
    const sms = account.credit({ ...wording, amount });
    await sleep(ms);
    count += 1;
    await phone.receive({
      messageId: `visitor-${at.getTime()}-${count}`,
      ...sms,
      receivedAt: new Date(),
    });
  }

  async function pay({ how, amount, ...shown }: DemoPayment): Promise<void> {
    const watched = phones?.find(shown);
    if (!watched) return;
    const payer = how === 'friend' ? FRIEND : PAYER;
    await transfer(
      watched,
      how === 'half' ? Math.ceil(amount / 2) : amount,
      payer,
      how === 'late' ? LATE_MS : 0,
    );
    if (how !== 'twice') return;
    await sleep(AGAIN_MS);
    await transfer(watched, amount, payer, 0);
  }

  function flush(): void {
    while (phones && waiting.length > 0) void pay(waiting.shift()!).catch(onProblem);
  }

  return {
    pay(payment) {
      waiting.push(payment);
      flush();
    },
    turnTo(now) {
      phones = now;
      flush();
    },
  };
}
