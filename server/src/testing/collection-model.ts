import {
  collectionActions,
  type CollectionAction,
  type CollectionStatus,
  type OrderMark,
} from '@sangam/contract/orders.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { MINUTE } from '../platform/clock.ts';

/** Who acts: every role, two suppliers with one account each, and a rival of the merchant. */
export const ACTORS = {
  superAdmin: 'superAdmin',
  admin: 'admin',
  customerService: 'customerService',
  technicalMaintenance: 'technicalMaintenance',
  technicalSupport: 'technicalSupport',
  supplierA: 'supplier',
  supplierB: 'supplier',
  merchant: 'merchant',
  stranger: 'merchant',
} as const satisfies Record<string, Role>;
export type ActorName = keyof typeof ACTORS;

export type Which = 0 | 1;
export type UtrKind = 'fresh' | 'stray' | 'siblings';

export type CollectionCommand =
  | {
      readonly kind: 'act';
      readonly order: Which;
      readonly action: CollectionAction;
      readonly actor: ActorName;
      readonly offset: boolean;
      readonly utr: UtrKind;
      readonly mark: OrderMark;
    }
  /** The payer pays the right amount or another one, or the bank's last message is reported again. */
  | { readonly kind: 'pay'; readonly order: Which; readonly how: 'exact' | 'other' | 'again' }
  /** The merchant's program asks for the same order again, or for another order under the same number. */
  | { readonly kind: 'retry'; readonly order: Which; readonly changed: boolean }
  | { readonly kind: 'cancel'; readonly order: Which }
  | { readonly kind: 'deliver'; readonly order: Which; readonly end: 'succeeded' | 'failed' | 'exhausted' };

type Account = 'a' | 'b';

/** An order as the model knows it. Amounts in minor units. */
export interface ModelOrder {
  readonly status: CollectionStatus;
  readonly account: Account | null;
  /** open: waits for money. grace: timed out, its amount is still kept. none: nothing is held. */
  readonly waiting: 'open' | 'grace' | 'none';
  readonly allocatedAt: number;
  readonly reversed: boolean;
  readonly supplemented: boolean;
  readonly mark: OrderMark;
  readonly received: bigint | null;
  readonly utr: string | null;
  /** The account whose bank message completed the order. */
  readonly message: Account | null;
  /** Who supplemented it, and how. The same request by the same user gets the same answer. */
  readonly supplement: { readonly actor: ActorName; readonly offset: boolean } | null;
  /** Notifications that wait for delivery, the first one first. */
  readonly outbox: readonly ('payment' | 'reversal')[];
}

/** Money that came and belongs to no order. */
interface Stray {
  readonly utr: string;
  readonly account: Account;
  readonly amount: bigint;
}

/** Two orders of one merchant and the money around them. */
export interface CollectionModel {
  readonly amounts: readonly [bigint, bigint];
  /** No account takes the product, so such orders fail to allocate. */
  readonly unplaceable: boolean;
  readonly orders: readonly [ModelOrder, ModelOrder];
  readonly strays: readonly Stray[];
}

/** What a command finds when it is given. */
export interface Facts {
  readonly now: number;
  /** A UTR that was never used before. */
  readonly fresh: string;
  /** The account that the payer was shown. */
  readonly into: Account | null;
}

/** The result of a command: a word for the answer, and the state after it. */
export interface Outcome {
  readonly answer: string;
  readonly after: CollectionModel;
}

const TIMEOUT = 15 * MINUTE;
const GRACE = 30 * MINUTE;

export function newOrderModel(account: Account | null, now: number): ModelOrder {
  return {
    status: account ? 1 : 5,
    account,
    waiting: account ? 'open' : 'none',
    allocatedAt: now,
    reversed: false,
    supplemented: false,
    mark: 0,
    received: null,
    utr: null,
    message: null,
    supplement: null,
    outbox: [],
  };
}

/** Time passes and the sweep runs. */
export function timePasses(model: CollectionModel, now: number): CollectionModel {
  const age = (order: ModelOrder): ModelOrder => {
    const timedOut: ModelOrder =
      order.waiting === 'open' && now >= order.allocatedAt + TIMEOUT
        ? { ...order, status: 2, waiting: 'grace' }
        : order;
    return timedOut.waiting === 'grace' && now >= order.allocatedAt + TIMEOUT + GRACE
      ? { ...timedOut, waiting: 'none' }
      : timedOut;
  };
  const [first, second] = model.orders;
  return { ...model, orders: [age(first), age(second)] };
}

/** The UTR that a supplement names. `fresh` was never used before. */
export function utrOf(model: CollectionModel, order: Which, kind: UtrKind, fresh: string): string {
  if (kind === 'stray') return model.strays[0]?.utr ?? fresh;
  return (kind === 'siblings' ? model.orders[order === 0 ? 1 : 0].utr : null) ?? fresh;
}

export function apply(
  model: CollectionModel,
  command: CollectionCommand,
  { now, fresh, into }: Facts,
): Outcome {
  const order = model.orders[command.order];
  switch (command.kind) {
    case 'act':
      return act(model, command, order, now, fresh);
    case 'pay':
      return pay(model, command, order, fresh, into);
    case 'retry':
      return { answer: command.changed ? 'orderNumberReused' : 'same', after: model };
    case 'cancel':
      return order.status === 1
        ? {
            answer: 'done',
            after: withOrder(model, command.order, { ...order, status: 2, waiting: 'grace' }),
          }
        : { answer: 'actionNotAllowed', after: model };
    case 'deliver':
      return { answer: 'done', after: withOrder(model, command.order, delivered(order, command.end)) };
  }
}

function withOrder(model: CollectionModel, which: Which, order: ModelOrder): CollectionModel {
  const [first, second] = model.orders;
  return { ...model, orders: which === 0 ? [order, second] : [first, order] };
}

function sees(actor: ActorName, order: ModelOrder): boolean {
  if (actor === 'stranger') return false;
  if (actor === 'supplierA') return order.account === 'a';
  return actor !== 'supplierB' || order.account === 'b';
}

function act(
  model: CollectionModel,
  command: Extract<CollectionCommand, { kind: 'act' }>,
  order: ModelOrder,
  now: number,
  fresh: string,
): Outcome {
  const { actor, action } = command;
  if (!sees(actor, order)) return { answer: 'notFound', after: model };
  const { status, reversed } = order;
  const subject = { status, holdsAccount: order.waiting !== 'none', reversed, frozen: false };
  const allowed = collectionActions({ role: ACTORS[actor] }, subject, { canTimeoutSupplement: true });
  if (!allowed.includes(action)) {
    const again = action === 'supplement' && isRepeated(model, command, order, fresh);
    return { answer: again ? 'done' : 'actionNotAllowed', after: model };
  }
  const done = (after: ModelOrder): Outcome => ({
    answer: 'done',
    after: withOrder(model, command.order, after),
  });
  switch (action) {
    case 'updateMark':
      return done({ ...order, mark: command.mark });
    case 'callback': {
      const outbox =
        order.outbox.length > 0 ? order.outbox : ([order.reversed ? 'reversal' : 'payment'] as const);
      return done({ ...order, outbox, status: order.status === 4 && !order.reversed ? 6 : order.status });
    }
    case 'freeResource':
      return done({ ...order, status: 2, waiting: ACTORS[actor] === 'supplier' ? 'grace' : 'none' });
    case 'reselect':
      // Of the two accounts, the one that the order had is passed over.
      return done(newOrderOn(order, model.unplaceable ? null : order.account === 'a' ? 'b' : 'a', now));
    case 'supplement':
      return supplement(model, command, order, fresh);
    case 'reverse':
      // Nobody reverses alone: an admin's request waits, and a superAdmin's is approved by another superAdmin.
      return actor === 'superAdmin'
        ? reverse(model, command.order, order)
        : { answer: 'approvalNeeded', after: model };
  }
}

function isRepeated(
  model: CollectionModel,
  { order: which, actor, offset, utr }: Extract<CollectionCommand, { kind: 'act' }>,
  { supplement: before, reversed, utr: used }: ModelOrder,
  fresh: string,
): boolean {
  const isSame = before?.actor === actor && before.offset === offset;
  return isSame && !reversed && utrOf(model, which, utr, fresh) === used;
}

function newOrderOn(order: ModelOrder, account: Account | null, now: number): ModelOrder {
  const { mark } = order;
  return { ...newOrderModel(account, now), mark };
}

function supplement(
  model: CollectionModel,
  { order: which, utr: kind, actor, offset }: Extract<CollectionCommand, { kind: 'act' }>,
  order: ModelOrder,
  fresh: string,
): Outcome {
  if (order.status === 5 && !offset) return { answer: 'actionNotAllowed', after: model };
  // An offset on a supplier's word alone would charge nobody, so it needs a second person.
  if (offset && ACTORS[actor] === 'supplier') return { answer: 'approvalNeeded', after: model };
  const utr = utrOf(model, which, kind, fresh);
  if (model.orders.some((each) => each.utr === utr && !each.reversed))
    return { answer: 'utrUsed', after: model };
  const stray = offset
    ? undefined
    : model.strays.find((each) => each.utr === utr && each.account === order.account);
  // A sum that the order did not ask may be another payer's.
  if (ACTORS[actor] === 'supplier' && stray && stray.amount !== model.amounts[which])
    return { answer: 'approvalNeeded', after: model };
  const after = paid(order, utr, stray?.amount ?? model.amounts[which], stray?.account ?? null);
  const strays = model.strays.filter((each) => each !== stray);
  return {
    answer: 'done',
    after: {
      ...withOrder(model, which, { ...after, supplemented: true, supplement: { actor, offset } }),
      strays,
    },
  };
}

function paid(order: ModelOrder, utr: string, received: bigint, message: Account | null): ModelOrder {
  const outbox = [...order.outbox, 'payment'] as const;
  return { ...order, status: 6, waiting: 'none', received, utr, message, outbox };
}

/** The bank's message of the money, if there was one, belongs to no order again. */
function reverse(model: CollectionModel, which: Which, order: ModelOrder): Outcome {
  const { message, utr, received } = order;
  const outbox = [...order.outbox, 'reversal'] as const;
  const strays =
    message === null ? model.strays : [...model.strays, { utr: utr!, account: message, amount: received! }];
  const after = withOrder(model, which, { ...order, reversed: true, message: null, outbox });
  return { answer: 'done', after: { ...after, strays } };
}

function pay(
  model: CollectionModel,
  { order: which, how }: Extract<CollectionCommand, { kind: 'pay' }>,
  order: ModelOrder,
  fresh: string,
  account: Account | null,
): Outcome {
  if (how === 'again' || account === null) return { answer: 'again', after: model };
  const matched = how === 'exact' && order.waiting !== 'none' && order.account === account;
  const amount = how === 'exact' ? model.amounts[which] : model.amounts[which] + 7n;
  if (matched)
    return {
      answer: 'matched',
      after: withOrder(model, which, paid(order, fresh, amount, account)),
    };
  const strays = [...model.strays, { utr: fresh, account, amount }];
  return { answer: 'unmatched', after: { ...model, strays } };
}

function delivered(order: ModelOrder, end: 'succeeded' | 'failed' | 'exhausted'): ModelOrder {
  const [first, ...rest] = order.outbox;
  if (first === undefined || end === 'failed') return order;
  const outbox = rest;
  if (first === 'reversal') return { ...order, outbox };
  if (end === 'succeeded')
    return { ...order, outbox, status: order.status === 6 || order.status === 4 ? 3 : order.status };
  return { ...order, outbox, status: order.status === 6 ? 4 : order.status };
}
