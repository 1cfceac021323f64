import { namesOf } from '@sangam/contract/references.ts';
import type { WaitingOrder } from '../../collection/waiting.ts';
import type { Credit } from './credit.ts';
import { identifyCodesIn } from './decide.ts';

/**
 * Waiting orders, indexed by amount, reference and identify code, so that a report of many credits need not compare every credit with every
 * order. An order that is taken is no candidate any more.
 */
export class Candidates {
  readonly #byClue = new Map<string, WaitingOrder[]>();
  readonly #taken = new Set<bigint>();

  constructor(orders: readonly WaitingOrder[]) {
    for (const order of orders) {
      const { accountId, payable, amount, payerUtr, identifyCode } = order;
      const keys = new Set([`${accountId} ${payable}`, `${accountId} ${amount}`, `code ${identifyCode}`]);
      if (payerUtr !== null) keys.add(`${accountId} utr ${payerUtr}`);
      for (const key of keys) {
        const known = this.#byClue.get(key);
        if (known) known.push(order);
        else this.#byClue.set(key, [order]);
      }
    }
  }

  /** Orders of the credit's account with its amount or its reference, and orders of any account whose code its text carries. */
  of({ accountId, amount, reference, text }: Credit): WaitingOrder[] {
    const codes = identifyCodesIn(text).map((code) => `code ${code}`);
    const named = reference === null ? [] : namesOf(reference).map((name) => `${accountId} utr ${name}`);
    const keys = [`${accountId} ${amount}`, ...named, ...codes];
    const found = new Set(keys.flatMap((key) => this.#byClue.get(key) ?? []));
    return [...found].filter(({ orderId }) => !this.#taken.has(orderId));
  }

  take(orderId: bigint): void {
    this.#taken.add(orderId);
  }
}
