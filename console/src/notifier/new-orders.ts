/** The newest order known, and the newest that has been seen: what lies between is rung for. */
export interface NewOrders {
  readonly latest: string | undefined;
  readonly seen: string | undefined;
}

export type NewOrdersStep =
  /** A poll's answer or an event; null: there is no order yet. */
  | { readonly type: 'heard'; readonly orderCode: string | null }
  | { readonly type: 'seen'; readonly orderCode: string };

const NO_ORDER = '0';

/** Codes are ids, and ids grow with time. */
const newest = (a: string | undefined, b: string) => (a === undefined || BigInt(b) > BigInt(a) ? b : a);

/** What is there at sign-in is not new: the first answer counts as seen. */
export function reduceNewOrders(state: NewOrders, step: NewOrdersStep): NewOrders {
  if (step.type === 'seen') return { latest: state.latest, seen: newest(state.seen, step.orderCode) };
  const code = step.orderCode ?? NO_ORDER;
  return { latest: newest(state.latest, code), seen: state.seen ?? code };
}

/** The code to ring for, if any. */
export function unseenOrder({ latest, seen }: NewOrders): string | undefined {
  return latest !== undefined && seen !== undefined && BigInt(latest) > BigInt(seen) ? latest : undefined;
}
