import type { ConsoleClient } from './console-client.ts';

/** An order of either direction, as the console's detail call returns it. Only payouts have claims. */
interface ShownOrder {
  readonly orderStatusId: number;
  readonly reversed: boolean;
  readonly unproven?: boolean;
  readonly claim?: 'none' | 'mine' | 'other';
}

export interface Action {
  readonly of: 'order' | 'payoutOrder';
  readonly orderCode: string;
  readonly path: string;
  readonly input: object;
  /** Whether the order shows that the action has been done. */
  readonly done: (order: ShownOrder) => boolean;
}

const ACTION_NOT_ALLOWED = 1201;
const APPROVAL_NEEDED = 1205;

/**
 * Does an action on an order, and must succeed. If the answer got lost, the repeated call is refused because of the new status;
 * then the order itself shows whether the action was done. A request for a second person is approved by the person's own `second`.
 */
export async function act(person: ConsoleClient, action: Action): Promise<void> {
  const asked = await person.post(action.path, action.input);
  const answer =
    asked.code === APPROVAL_NEEDED && person.second
      ? await person.second.post('/v1.0/todo/decide', { id: asked.data['todoId'], approve: true })
      : asked;
  if (answer.code === 200) return;
  if (answer.code === ACTION_NOT_ALLOWED) {
    const order = await showOrder(person, action.of, action.orderCode);
    if (order && action.done(order)) return;
  }
  throw new Error(`${action.path}: ${answer.code} ${answer.msg}`);
}

/** The order as this person sees it; undefined where the person may not see it. */
export async function showOrder(
  person: ConsoleClient,
  of: Action['of'],
  orderCode: string,
): Promise<ShownOrder | undefined> {
  const { code, data } = await person.get(`/v1.0/${of}/getDetail`, { orderCode });
  return code === 200 ? (data['order'] as ShownOrder) : undefined;
}
