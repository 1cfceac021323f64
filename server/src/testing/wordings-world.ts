import { addListedName } from '@sangam/contract/endpoints/name-list.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { createOrders } from '../collection/create.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { joinLostMoney } from '../evidence/lost/join.ts';
import { settleOutside } from '../evidence/lost/settle-outside.ts';
import type { ReportedMessage } from '../evidence/matching/message.ts';
import { submitUtr } from '../evidence/matching/payer-utr.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { releaseHeld, releaseOverdue } from '../evidence/matching/release-held.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { setFrozen } from '../orders/holds/set-hold.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { nameScreen } from '../screening/screen.ts';
import { ask } from './ask.ts';
import type { AttackWorld, Gang } from './attack-world.ts';
import { creditSms, naming, newOrder, newReference, statedSms, withoutReference } from './payments.ts';
import { reverseByTwo, todoOf } from './reversal.ts';
import { inParallel } from './sequences.ts';
import {
  type Action,
  isReversal,
  type Message,
  type Payment,
  paymentOf,
  type WordingRow,
  type WordingShop,
} from './wordings-rows.ts';

/** One account with its payments, its orders, and what has happened to them. */
export interface WordingLife {
  readonly row: WordingRow;
  readonly shop: WordingShop;
  readonly gang: Gang;
  /** Minor units. The sum of all payments, and the asked sum of all orders. */
  readonly amount: bigint;
  readonly utrs: Readonly<Record<Payment, string>>;
  /** The oldest asks exactly the sum. Code and typed UTR name the third. */
  readonly orders: CollectionOrder[];
  /** The bank's texts about a payment, from its first message on. */
  readonly texts: Map<Payment, { readonly stated: ReportedMessage; readonly bare: ReportedMessage }>;
  /** By the phone's id. */
  readonly told: Map<string, Message>;
  readonly settled: Set<Payment>;
  readonly trail: string[];
}

/** A paid order and the payment by which it was paid: that of its message, or that of its UTR. */
export interface PaidOrder {
  readonly id: bigint;
  readonly by: Payment | undefined;
}

const BALANCE = 9_000_000_00n;

/** All phones are heard of. */
export async function beat({ db, clock }: Platform): Promise<void> {
  await db.query(sql`update monitors set last_seen_at = ${clock.now()}`);
}

/** Creates one order at each of these accounts. */
export async function placeOrders(
  platform: Platform,
  lives: readonly Pick<WordingLife, 'gang' | 'amount'>[],
): Promise<CollectionOrder[]> {
  const wanted = lives.map(({ gang: { shop }, amount }) =>
    newOrder(shop.merchantId, { mchOrderNo: `W${platform.ids.next()}`, amount }),
  );
  return (await createOrders(platform, wanted)).map((order) => {
    if (isRefusal(order) || order.accountId === null) throw new Error('an order found no account');
    return order;
  });
}

/** Payers whom a name list has. */
const listedVpa = (life: WordingLife) => `l${life.orders[0]!.id}@okbank`;

export async function listPayers({ platform, staff }: Scene, lives: readonly WordingLife[]): Promise<void> {
  for (const life of lives) {
    const vpa = listedVpa(life);
    await ask(platform, staff.superAdmin, addListedName, { name: `Listed ${vpa}`, reason: 'court', vpa });
  }
  await nameScreen(platform).refresh();
}

/** Whether the message names the listed payer. */
export function isListed({ shop: { listed } }: WordingLife, message: Message): boolean {
  if (paymentOf(message) === 'Q' || isReversal(message)) return false;
  return message === 'P stated' || message === 'P again' ? listed === 'stated' : listed === 'bare';
}

export interface Scene {
  readonly platform: Platform;
  readonly staff: AttackWorld['staff'];
}

/** The message as the phone reports it now. The money moves when its first message comes. */
function messageOf(platform: Platform, life: WordingLife, message: Message): ReportedMessage {
  const { gang, amount, utrs } = life;
  const which = paymentOf(message);
  const balance = BALANCE + (which === 'Q' ? amount : 0n);
  const debit = (reference: string) =>
    statedSms(platform, gang.shop, { amount: -amount, balance: balance - amount, reference });
  if (message === 'P reversal') return debit(utrs.P);
  if (isReversal(message)) {
    const own = debit(newReference());
    return { ...own, text: `${own.text} reversal of UPI ${utrs.P}` };
  }
  const reference = utrs[which];
  const told =
    life.shop.texts === 'minute'
      ? statedSms(platform, gang.shop, { amount, balance, reference })
      : creditSms(platform, gang.shop, amount, { reference });
  if (!life.texts.has(which)) life.texts.set(which, { stated: told, bare: withoutReference(told) });
  const { stated, bare } = life.texts.get(which)!;
  const text = message === 'P again' ? told : message.endsWith('stated') ? stated : bare;
  const coded = message.endsWith('coded') ? naming(life.orders[2]!, text) : text;
  const listed = isListed(life, message) ? listedVpa(life) : 'payer@okbank';
  return {
    ...coded,
    text: coded.text.replace('payer@okbank', listed),
    messageId: `${message}-${gang.shop.accountId}`,
    receivedAt: platform.clock.now(),
  };
}

export async function report(
  platform: Platform,
  life: WordingLife,
  messages: readonly Message[],
): Promise<void> {
  const reported = messages.map((message) => messageOf(platform, life, message));
  reported.forEach(({ messageId }, index) => life.told.set(messageId, messages[index]!));
  const results = await receiveMessages(platform, life.gang.shop.monitor, reported);
  life.trail.push(`${messages.join(' + ')}: ${results.map(({ state }) => state).join(', ')}`);
}

/** A chain that can be trusted. The messages of the payments do not link to it. */
export async function breakChains(
  platform: Platform,
  gangs: readonly Gang[],
  pass: () => Promise<void>,
): Promise<void> {
  for (let n = 1n; n <= 6n; n += 1n) {
    await pass();
    await inParallel(gangs, async ({ shop }) => {
      const linked = statedSms(platform, shop, { amount: 100_00n, balance: n * 100_00n });
      await receiveMessages(platform, shop.monitor, [linked]);
    });
  }
}

/** Does what honest people do: nobody books or refunds money of which they know that it is used or gone. */
export async function act(
  scene: Scene,
  life: WordingLife,
  action: Action,
  paid: readonly PaidOrder[],
): Promise<void> {
  const said = await outcomeOf(scene, life, action, paid);
  life.trail.push(`${action}: ${!said ? 'nothing' : isRefusal(said) ? said.code : 'done'}`);
}

async function outcomeOf(scene: Scene, life: WordingLife, action: Action, paid: readonly PaidOrder[]) {
  const { platform } = scene;
  switch (action) {
    case 'undo':
      return paid[0] && reverseByTwo(platform, { orderId: paid[0].id });
    case 'freeze':
    case 'unfreeze':
      return freeze(scene, life, action === 'freeze');
    case 'chain':
      return fillChain(platform, life);
    case 'P type':
      return submitUtr(platform, platform.vault.payToken(life.orders[2]!.id), life.utrs.P, '10.0.0.9');
    case 'P help':
    case 'Q help':
      return isUsed(life, paymentOf(action), paid) ? undefined : help(scene, life, paymentOf(action));
    case 'P join':
    case 'P settle':
      return isUsed(life, 'P', paid) ? undefined : handleOldest(scene, life, action);
  }
}

const isUsed = ({ settled, told }: WordingLife, which: Payment, paid: readonly PaidOrder[]) =>
  settled.has(which) ||
  paid.some(({ by }) => by === which) ||
  (which === 'P' && [...told.values()].some(isReversal));

/** Freezes the oldest order, or unfreezes it. */
export function freeze({ platform, staff }: Scene, { orders }: WordingLife, frozen: boolean) {
  const subject = { subjectKind: 'order', subjectId: String(orders[0]!.id) } as const;
  return setFrozen(platform, staff.admin, { ...subject, reason: 'police letter 4', frozen });
}

async function fillChain(platform: Platform, { gang: { shop }, amount }: WordingLife): Promise<boolean> {
  const before = BALANCE - amount;
  const linked = [statedSms(platform, shop, { amount: before - 600_00n, balance: before })];
  for (let n = 1n; n <= 4n; n += 1n)
    linked.push(statedSms(platform, shop, { amount: 7_00n, balance: BALANCE + n * 7_00n }));
  for (const message of linked) await receiveMessages(platform, shop.monitor, [message]);
  await releaseHeld(platform);
  await releaseOverdue(platform);
  return true;
}

async function help({ platform, staff }: Scene, { gang, utrs }: WordingLife, which: Payment) {
  const [open] = await platform.db.query<{ id: bigint }>(sql`
    select order_id as id from waiting_orders where account_id = ${gang.shop.accountId} order by order_id limit 1`);
  return (
    open && supplement(platform, staff.superAdmin, { orderId: open.id, utr: utrs[which], offset: false })
  );
}

async function handleOldest({ platform, staff }: Scene, life: WordingLife, action: 'P join' | 'P settle') {
  const credits = [...life.told].flatMap(([id, message]) =>
    paymentOf(message) === 'P' && !isReversal(message) ? [id] : [],
  );
  const [open] = await platform.db.query<{ id: bigint; utr: string | null }>(sql`
    select id, utr from messages where account_id = ${life.gang.shop.accountId} and external_id = any(${credits})
      and state in ('unmatched', 'ambiguous', 'untrusted', 'held') order by id limit 1`);
  if (!open) return undefined;
  const { customerService: desk, admin } = staff;
  if (action === 'P join')
    return joinLostMoney(platform, desk, {
      orderId: life.orders.at(-1)!.id,
      messageId: open.id,
      utr: open.utr ?? life.utrs.P,
    });
  const asked = await settleOutside(platform, desk, { messageId: open.id, reason: 'refunded by hand' });
  if (asked.code !== 'approvalNeeded') return asked;
  const done = await decide(platform, APPROVAL_HANDLERS, admin, { id: todoOf(asked), approve: true });
  if (!isRefusal(done)) life.settled.add('P');
  return done;
}

/** The orders of each life that are paid, and not reversed. */
export async function paidOf(
  platform: Platform,
  lives: readonly WordingLife[],
): Promise<ReadonlyMap<WordingLife, PaidOrder[]>> {
  const ids = lives.flatMap(({ orders }) => orders.map(({ id }) => id));
  const rows = await platform.db.query<{ id: bigint; utr: string; messageId: string | null }>(sql`
    select o.id, o.utr, m.external_id as "messageId" from collection_orders o
    left join message_matches mm on mm.order_id = o.id left join messages m on m.id = mm.message_id
    where o.id = any(${ids}) and o.paid_at is not null and o.reversed_at is null`);
  const paid = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    lives.map((life) => {
      const found = life.orders.flatMap(({ id }): PaidOrder[] => {
        const row = paid.get(id);
        if (!row) return [];
        const message = row.messageId === null ? undefined : life.told.get(row.messageId);
        const named = (['P', 'Q'] as const).find((which) => life.utrs[which] === row.utr);
        return [{ id, by: message ? paymentOf(message) : named }];
      });
      return [life, found];
    }),
  );
}

/** The orders of which the admins were notified: their money went back, or the bank says otherwise. */
export async function notifiedOf(
  platform: Platform,
  lives: readonly WordingLife[],
): Promise<ReadonlySet<bigint>> {
  const ids = lives.flatMap(({ orders }) => orders.map(({ id }) => String(id)));
  const rows = await platform.db.query<{ order: string }>(sql`
    select distinct data->>'order' as order from inbox_messages
    where kind in ('moneyWentBack', 'bookedOtherwise') and data->>'order' = any(${ids})`);
  return new Set(rows.map(({ order }) => BigInt(order)));
}
