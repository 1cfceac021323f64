/** The newest known order and the newest seen order. The orders between the two are new. */
export interface NewOrders {
  readonly latest: string | undefined;
  readonly seen: string | undefined;
}

export type NewOrdersStep =
  /** The answer of a poll, or an event; null: there is no order yet. */
  | { readonly type: 'heard'; readonly orderCode: string | null }
  | { readonly type: 'seen'; readonly orderCode: string };

const NO_ORDER = '0';

/** Order codes are ids, and ids grow with time. */
const newest = (a: string | undefined, b: string) => (a === undefined || BigInt(b) > BigInt(a) ? b : a);

/** The first answer after sign-in counts as seen, so the orders that exist then are not new. */
export function reduceNewOrders(state: NewOrders, step: NewOrdersStep): NewOrders {
  if (step.type === 'seen') return { latest: state.latest, seen: newest(state.seen, step.orderCode) };
  const code = step.orderCode ?? NO_ORDER;
  return { latest: newest(state.latest, code), seen: state.seen ?? code };
}

/** The code of the newest unseen order; undefined where there is none. */
export function unseenOrder({ latest, seen }: NewOrders): string | undefined {
  return latest !== undefined && seen !== undefined && BigInt(latest) > BigInt(seen) ? latest : undefined;
}
