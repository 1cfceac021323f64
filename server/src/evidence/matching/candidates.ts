import type { WaitingOrder } from '../../collection/waiting.ts';
import type { Credit } from './credit.ts';
import { identifyCodesIn } from './decide.ts';

/**
 * Waiting orders by what a credit may point at them with, so that a report of many credits does not look at every
 * order for each of them. An order that is taken is no candidate any more.
 */
export class Candidates {
  readonly #byClue = new Map<string, WaitingOrder[]>();
  readonly #taken = new Set<bigint>();

  constructor(orders: readonly WaitingOrder[]) {
    for (const order of orders) {
      const { accountId, payable, amount, payerUtr, identifyCode } = order;
      const clues = new Set([`${payable}`, `${amount}`, `code ${identifyCode}`]);
      if (payerUtr !== null) clues.add(`utr ${payerUtr}`);
      for (const clue of clues) {
        const key = `${accountId} ${clue}`;
        const known = this.#byClue.get(key);
        if (known) known.push(order);
        else this.#byClue.set(key, [order]);
      }
    }
  }

  /** Those of its account that share its amount, its reference or a code with the credit. */
  of({ accountId, amount, reference, text }: Credit): WaitingOrder[] {
    const clues = [`${amount}`, `utr ${reference}`, ...identifyCodesIn(text).map((code) => `code ${code}`)];
    const found = new Set(clues.flatMap((clue) => this.#byClue.get(`${accountId} ${clue}`) ?? []));
    return [...found].filter(({ orderId }) => !this.#taken.has(orderId));
  }

  take(orderId: bigint): void {
    this.#taken.add(orderId);
  }
}
