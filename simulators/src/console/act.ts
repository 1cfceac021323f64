import type { ConsoleClient } from './console-client.ts';

/** An order of either direction as the console's detail shows it; payouts have claims, collection orders none. */
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
  /** How the order looks once the action is done. */
  readonly done: (order: ShownOrder) => boolean;
}

const ACTION_NOT_ALLOWED = 1201;
const APPROVAL_NEEDED = 1205;

/**
 * An action on an order that must succeed. Answers get lost, and the action, called again, is refused in the status it
 * has led to: then the order itself says whether it was done. What needs a second person is approved by the person's own (`second`).
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

/** The order as this person sees it; undefined where it may not. */
export async function showOrder(
  person: ConsoleClient,
  of: Action['of'],
  orderCode: string,
): Promise<ShownOrder | undefined> {
  const { code, data } = await person.get(`/v1.0/${of}/getDetail`, { orderCode });
  return code === 200 ? (data['order'] as ShownOrder) : undefined;
}
