import { createHash } from 'node:crypto';

/** An order that an action is about; with the version that the row showed to whom decided by that row. */
export interface ChosenOrder {
  readonly orderId: bigint;
  readonly version?: string | undefined;
}

const DIGITS = 16;

/** Names what a decision on an order rests on: another value is another version. Hashed: a row may not tell all of it. */
export function versionOf(state: readonly (bigint | number | string | Date | null)[]): string {
  const text = state.map((value) => (value instanceof Date ? value.getTime() : value)).join('/');
  return createHash('sha256').update(text).digest('hex').slice(0, DIGITS);
}

export function chosen(order: bigint | ChosenOrder): ChosenOrder {
  return typeof order === 'bigint' ? { orderId: order } : order;
}
