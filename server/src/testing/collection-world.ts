import * as fc from 'fast-check';
import { COLLECTION_ACTIONS } from '@sangam/contract/orders.ts';
import { deliver } from '../callbacks/record.ts';
import type { AttemptResult, Sender } from '../callbacks/send.ts';
import type { ClaimedCallback, Recipient } from '../callbacks/callback.ts';
import { callBack } from '../collection/call-back.ts';
import { cancelByMerchant } from '../collection/cancel.ts';
import { createOrders, type NewOrder } from '../collection/create.ts';
import { freeResource } from '../collection/free-resource.ts';
import { updateMark } from '../collection/mark.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { reselect } from '../collection/reselect.ts';
import { sql } from '../platform/db/database.ts';
import { SUPPLEMENTED } from '../platform/db/statuses.ts';
import type { SignedMonitor } from '../http/route.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { recordOutcome } from '../orders/callback-outcome.ts';
import { reverse } from '../orders/reverse.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  ACTORS,
  newOrderModel,
  utrOf,
  type ActorName,
  type CollectionCommand,
  type CollectionModel,
  type Which,
} from './collection-model.ts';
import { creditSms, newOrder } from './payments.ts';
import { reverseByTwo } from './reversal.ts';
import { makeAccount, makeMerchant, makeMonitor, makeSupplier, makeUser, viewerOf } from './world.ts';

interface Place {
  readonly supplierId: bigint;
  readonly accountId: bigint;
  readonly accountNumber: string;
  readonly monitor: SignedMonitor;
}

/** A merchant, its rival, and two suppliers with one account each. The accounts take only UPI. */
export interface CollectionWorld {
  readonly merchantId: bigint;
  readonly strangerId: bigint;
  readonly a: Place;
  readonly b: Place;
  /** Users who may ask for approvals need rows in the database. */
  readonly userIds: Readonly<
    Record<'superAdmin' | 'admin' | 'customerService' | 'supplierA' | 'supplierB', bigint>
  >;
}

const DEPOSIT = 10n ** 14n;
const UPI = 1010;
/** A product that the merchant may use but no account takes. */
const UNPLACEABLE = 1012;

export async function makeCollectionWorld(platform: Platform): Promise<CollectionWorld> {
  const place = async (): Promise<Place> => {
    const { supplierId } = await makeSupplier(platform, { deposit: DEPOSIT });
    const { monitorId } = await makeMonitor(platform, { supplierId });
    const products = [UPI];
    const made = await makeAccount(platform, { supplierId, monitorId, products, maxWaiting: 100_000 });
    return { supplierId, ...made, monitor: { id: monitorId, supplierId } };
  };
  const user = async (role: 'superAdmin' | 'admin' | 'customerService' | 'supplier') =>
    (await makeUser(platform, { role })).id;
  return {
    merchantId: (await makeMerchant(platform)).merchantId,
    strangerId: (await makeMerchant(platform)).merchantId,
    a: await place(),
    b: await place(),
    userIds: {
      superAdmin: await user('superAdmin'),
      admin: await user('admin'),
      customerService: await user('customerService'),
      supplierA: await user('supplier'),
      supplierB: await user('supplier'),
    },
  };
}

/** Two orders of one sequence, the model of them, and the requests that created them. */
export interface CollectionLife {
  model: CollectionModel;
  readonly inputs: readonly [NewOrder, NewOrder];
  readonly ids: readonly [bigint, bigint];
}

/** Begins sequences. Amounts in a block differ by more than a payable amount floats. */
export async function beginCollections(
  platform: Platform,
  world: CollectionWorld,
  seeds: readonly number[],
): Promise<CollectionLife[]> {
  const now = platform.clock.now().getTime();
  const inputs = seeds.flatMap((seed, index) =>
    [0, 1].map((which) =>
      newOrder(world.merchantId, {
        mchOrderNo: `S${platform.ids.next()}`,
        productId: isUnplaceable(seed) ? UNPLACEABLE : UPI,
        amount: BigInt(100_00 + (2 * index + which) * 10_00),
      }),
    ),
  );
  const orders = (await createOrders(platform, inputs)).map((order) => {
    if (isRefusal(order)) throw new Error(`order refused: ${order.code}`);
    return order;
  });
  return seeds.map((seed, index) => {
    const [first, second] = [orders[2 * index]!, orders[2 * index + 1]!];
    const modelled = (order: CollectionOrder) => newOrderModel(accountOf(world, order), now);
    return {
      inputs: [inputs[2 * index]!, inputs[2 * index + 1]!],
      ids: [first.id, second.id],
      model: {
        amounts: [first.amount, second.amount],
        unplaceable: isUnplaceable(seed),
        orders: [modelled(first), modelled(second)],
        strays: [],
      },
    };
  });
}

/** One sequence in eight has orders that no account takes. */
const isUnplaceable = (seed: number) => seed % 8 === 7;

function accountOf(world: CollectionWorld, order: CollectionOrder): 'a' | 'b' | null {
  if (order.accountId === null) return null;
  return order.accountId === world.a.accountId ? 'a' : 'b';
}

const order = fc.constantFrom<Which>(0, 1);
const actors = Object.keys(ACTORS) as ActorName[];
export const collectionCommand: fc.Arbitrary<CollectionCommand> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      order,
      action: fc.constantFrom(...COLLECTION_ACTIONS),
      // Weighted towards actors who are allowed to do something.
      actor: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom<ActorName>('superAdmin', 'admin', 'supplierA', 'supplierB') },
        fc.constantFrom(...actors),
      ),
      offset: fc.boolean(),
      utr: fc.constantFrom('fresh' as const, 'stray' as const, 'siblings' as const),
      mark: fc.constantFrom(0 as const, 1 as const, 4 as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      order,
      how: fc.constantFrom('exact' as const, 'exact' as const, 'other' as const, 'again' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('retry' as const), order, changed: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), order }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      order,
      end: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom('succeeded' as const, 'failed' as const) },
        fc.constant('exhausted' as const),
      ),
    }),
  },
);

function viewer(platform: Platform, world: CollectionWorld, actor: ActorName): Viewer {
  const role = ACTORS[actor];
  switch (actor) {
    case 'supplierA':
    case 'supplierB':
      return viewerOf(platform, {
        role,
        userId: world.userIds[actor],
        supplierId: world[actor === 'supplierA' ? 'a' : 'b'].supplierId,
      });
    case 'merchant':
      return viewerOf(platform, { role, merchantId: world.merchantId });
    case 'stranger':
      return viewerOf(platform, { role, merchantId: world.strangerId });
    case 'superAdmin':
    case 'admin':
    case 'customerService':
      return viewerOf(platform, { role, userId: world.userIds[actor] });
    case 'technicalMaintenance':
    case 'technicalSupport':
      return viewerOf(platform, { role });
  }
}

/** A command of one sequence that is sent to the platform. */
export interface Asked {
  readonly life: CollectionLife;
  readonly command: CollectionCommand;
  /** A UTR that was never used before. */
  readonly fresh: string;
}

/** While one request about an order waits, another is refused: either way a second person decides. */
function wordOf(answer: object | Refusal): string {
  if (!isRefusal(answer)) return 'done';
  const { reason } = (answer.data ?? {}) as { readonly reason?: string };
  return reason === 'otherRequestWaits' ? 'approvalNeeded' : answer.code;
}

/** Performs a command. Answers in the model's words. */
export async function perform(platform: Platform, world: CollectionWorld, asked: Asked): Promise<string> {
  const { life, command } = asked;
  const id = life.ids[command.order];
  switch (command.kind) {
    case 'act':
      return wordOf(await act(platform, world, asked, command));
    case 'pay':
      return (await payAll(platform, world, [asked]))[0]!;
    case 'retry':
      return (await retryAll(platform, [asked]))[0]!;
    case 'cancel':
      return wordOf(await cancelByMerchant(platform, { id: world.merchantId, ip: '127.0.0.1' }, id));
    case 'deliver':
      await deliverOldest(platform, id, command.end);
      return 'done';
  }
}

function act(
  platform: Platform,
  world: CollectionWorld,
  { life, fresh }: Asked,
  command: Extract<CollectionCommand, { kind: 'act' }>,
): Promise<object | Refusal> {
  const orderId = life.ids[command.order];
  const by = viewer(platform, world, command.actor);
  const { offset, mark } = command;
  switch (command.action) {
    case 'supplement': {
      const utr = utrOf(life.model, command.order, command.utr, fresh);
      return supplement(platform, by, { orderId, utr, offset });
    }
    case 'reselect':
      return reselect(platform, by, orderId);
    case 'freeResource':
      return freeResource(platform, by, { orderId, offset });
    case 'callback':
      return callBack(platform, by, orderId);
    case 'reverse':
      return reversed(platform, by, orderId);
    case 'updateMark':
      return updateMark(platform, by, { orderId, mark });
  }
}

/** Another superAdmin approves what a superAdmin asks for. What was decided at the same time was reversed before. */
async function reversed(platform: Platform, by: Viewer, orderId: bigint): Promise<object | Refusal> {
  if (by.role !== 'superAdmin') return reverse(platform, by, { orderId });
  const done = await reverseByTwo(platform, { orderId }, by);
  return isRefusal(done) && done.code === 'conflict' ? refuse('actionNotAllowed') : done;
}

/** Payments of many orders, in one report of each monitor. */
export async function payAll(
  platform: Platform,
  world: CollectionWorld,
  asked: readonly Asked[],
): Promise<string[]> {
  const answers = asked.map(() => 'again');
  for (const name of ['a', 'b'] as const) {
    const place = world[name];
    const told = asked.flatMap(({ life, command, fresh }, index) => {
      if (command.kind !== 'pay' || life.model.orders[command.order].account !== name) return [];
      if (command.how === 'again') return [];
      const amount = life.model.amounts[command.order] + (command.how === 'exact' ? 0n : 7n);
      const shop = { ...place, merchantId: 0n, monitorSecret: '' };
      return [{ index, message: creditSms(platform, shop, amount, { reference: fresh, messageId: fresh }) }];
    });
    if (told.length === 0) continue;
    const messages = told.map(({ message }) => message);
    const results = await receiveMessages(platform, place.monitor, messages);
    // A message that is reported again at once must have the same result as the first time.
    const repeated = await receiveMessages(platform, place.monitor, messages.slice(0, 1));
    if (repeated[0]!.state !== results[0]!.state) answers[told[0]!.index] = 'repeat answered otherwise';
    else told.forEach(({ index }, position) => (answers[index] = results[position]!.state));
  }
  return answers;
}

/** Repeated requests of the merchant for existing orders, in one call. */
export async function retryAll(platform: Platform, asked: readonly Asked[]): Promise<string[]> {
  const inputs = asked.map(({ life, command }) => {
    const input = life.inputs[command.order];
    return command.kind === 'retry' && command.changed ? { ...input, amount: input.amount + 1n } : input;
  });
  const answers = await createOrders(platform, inputs);
  return answers.map((answer, index) => {
    if (isRefusal(answer)) return answer.code;
    const { life, command } = asked[index]!;
    return answer.id === life.ids[command.order] ? 'same' : 'another';
  });
}

const ATTEMPT: Omit<AttemptResult, 'acknowledged'> = {
  httpMethod: 'POST',
  request: '{}',
  signed: 'sign=ABC',
  status: 200,
  answer: 'success',
  error: null,
  durationMs: 1,
};

/** Delivers the order's oldest notification, or lets its attempts run out. */
async function deliverOldest(
  platform: Platform,
  orderId: bigint,
  end: 'succeeded' | 'failed' | 'exhausted',
): Promise<void> {
  const sender: Sender = {
    send: async () => ({
      ...ATTEMPT,
      acknowledged: end === 'succeeded',
      ...(end === 'succeeded' ? {} : { status: 500, answer: 'no' }),
    }),
    close: async () => undefined,
  };
  for (;;) {
    const [oldest] = await platform.db.query<Omit<ClaimedCallback, 'merchant'> & Recipient>(sql`
      select c.id, c.order_id as "orderId", c.merchant_id as "merchantId", c.kind, c.url, c.transport, c.fields, q.attempts,
        q.attempts_before as "attemptsBefore", 0::bigint as claim, m.callback_waits as waits, m.sign_type as "signType", m.secret
      from callback_queue q join callbacks c on c.id = q.callback_id join merchants m on m.id = c.merchant_id
      where q.order_id = ${orderId} order by q.place limit 1`);
    if (!oldest) return;
    const outcome = await deliver(platform, sender, { ...oldest, merchant: oldest }, recordOutcome);
    if (outcome === 'exhausted' || end !== 'exhausted') return;
  }
}

/** The parts of a stored order that the model covers. */
export interface StoredOrder {
  readonly status: number;
  readonly account: 'a' | 'b' | null;
  readonly waiting: 'open' | 'grace' | 'none';
  readonly reversed: boolean;
  readonly supplemented: boolean;
  readonly mark: number;
  readonly received: bigint | null;
  readonly utr: string | null;
  readonly outbox: number;
}

export async function storedOrders(
  platform: Platform,
  world: CollectionWorld,
  ids: readonly bigint[],
): Promise<Map<bigint, StoredOrder>> {
  const rows = await platform.db.query<StoredOrder & { id: bigint }>(sql`
    select o.id, o.status, case o.account_id when ${world.a.accountId} then 'a' when ${world.b.accountId} then 'b' end as account,
      case w.timed_out when true then 'grace' when false then 'open' else 'none' end as waiting,
      o.reversed_at is not null as reversed, o.supplement_status = ${SUPPLEMENTED} as supplemented, o.mark, o.received, o.utr,
      (select count(*) from callback_queue q where q.order_id = o.id)::int as outbox
    from collection_orders o left join waiting_orders w on w.order_id = o.id where o.id = any(${ids})`);
  return new Map(rows.map(({ id, ...stored }) => [id, stored]));
}

/** The model's orders, to compare with the stored ones. */
export function expectedOrders(model: CollectionModel): StoredOrder[] {
  return model.orders.map(
    ({ allocatedAt: _, message: _message, supplement: _supplement, outbox, ...order }) => ({
      ...order,
      outbox: outbox.length,
    }),
  );
}
