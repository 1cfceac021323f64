import { createHash } from 'node:crypto';

/** An order that an action names, with the version that was in the row its user saw. */
export interface ChosenOrder {
  readonly orderId: bigint;
  readonly version?: string | undefined;
}

const DIGITS = 16;

/**
 * A name for the state a decision rests on: another state has another version. Hashed, because the viewer may not see all of
 * the state.
 */
export function versionOf(state: readonly (bigint | number | string | Date | null)[]): string {
  const text = state.map((value) => (value instanceof Date ? value.getTime() : value)).join('/');
  return createHash('sha256').update(text).digest('hex').slice(0, DIGITS);
}

export function chosen(order: bigint | ChosenOrder): ChosenOrder {
  return typeof order === 'bigint' ? { orderId: order } : order;
}
