import { createOrders } from '../collection/create.ts';
import { freeResource } from '../collection/free-resource.ts';
import { askOffsetCorrection } from '../evidence/lost/correct-offset.ts';
import type { ReportedMessage } from '../evidence/matching/message.ts';
import { submitUtr } from '../evidence/matching/payer-utr.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { createPayouts } from '../payout/create.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  askSettle,
  decideOldest,
  isTaken,
  join,
  look,
  noteRequest,
  refund,
  type LostRow,
} from './attack-lost.ts';
import {
  AMOUNTS,
  type AttackCommand,
  type AttackStep,
  type Reference,
  type Rewording,
  type Which,
  type Wording,
} from './attack-model.ts';
import { creditSms, newOrder, newReference, type Shop, statedSms, withoutReference } from './payments.ts';
import { giveFunds, newPayout } from './payouts.ts';
import { makeAccount, makeMerchant, makeMonitor, makeSupplier, makeUser, viewerOf } from './world.ts';

export const DEPOSIT = 60_000_00n;

/** Money that really came to the account, as in the bank's true book. */
export interface TrueCredit {
  readonly amount: bigint;
  readonly reference: string;
  /** The first message about it. */
  readonly message: ReportedMessage;
  /** What the bank may say about it, with its reference: with the minute, or with the day. */
  readonly texts: Readonly<Record<'minute' | 'day', ReportedMessage>>;
  readonly at: number;
  /** The order whose code is in the remark. */
  readonly remark: AttackLife['orders'][number] | undefined;
  readonly wording: Wording;
  refunded: boolean;
  /** Two people stated on the platform that it was refunded. */
  isSettled: boolean;
  isTold: boolean;
  /** The order whose code the first message has. Before that message nobody can know it. */
  coded?: bigint | undefined;
}

/** A supplier with its phone and account, a merchant that may help it, and the state of the bank's book and of the phone. */
export interface Gang {
  readonly shop: Shop;
  readonly supplier: Viewer;
  /** What the account really holds, and the balance in the last message. */
  bank: bigint;
  stated: bigint;
}

export interface AttackWorld {
  readonly gangs: readonly Gang[];
  readonly staff: Readonly<Record<'customerService' | 'superAdmin' | 'admin', Viewer>>;
}

export interface AttackLife {
  readonly gang: Gang;
  readonly orders: {
    readonly id: bigint;
    readonly amount: bigint;
    readonly payable: bigint;
    readonly code: string;
  }[];
  /** UTRs that payers named while the bank's message was held, with their orders. */
  readonly named: Map<string, bigint>;
  readonly payouts: bigint[];
  /** Payments that are still to come, by whose reference the desk has completed orders. */
  readonly announced: { readonly reference: string; readonly amount: bigint }[];
  readonly credits: TrueCredit[];
  readonly forged: string[];
  /** This sequence's bank messages by the phone's id. Each has its credit, or undefined if it is forged. */
  readonly messages: Map<string, TrueCredit | undefined>;
  readonly late: ReportedMessage[];
  /** Debits in the bank's book, by reference. */
  readonly debits: Map<string, bigint>;
  /** Credits that have paid an order, as far as the model knows. */
  readonly spent: Set<TrueCredit>;
  /** Lost money as an operator last read it. */
  rows: readonly LostRow[];
  /** Requests to settle a credit outside the platform, by the approval's id. */
  readonly asked: Map<bigint, TrueCredit>;
  /** Requests that were already wrong when they were made, as the person who decides can see. */
  readonly wrong: Set<bigint>;
  /** The round of the sequence, and the steps still to be done, each with its round. */
  round: number;
  pending: { readonly round: number; readonly step: AttackStep }[];
  /** Whether the last step placed an order. */
  placed: boolean;
}

export async function makeAttackWorld(platform: Platform, count: number): Promise<AttackWorld> {
  const gangs: Gang[] = [];
  const products = [1010, 2001];
  for (let n = 0; n < count; n += 1) {
    const { merchantId } = await makeMerchant(platform, { products });
    await giveFunds(platform, merchantId, 'INR', 10n ** 12n);
    const { supplierId, userId } = await makeSupplier(platform, { products, deposit: DEPOSIT });
    const { monitorId } = await makeMonitor(platform, { supplierId });
    const made = await makeAccount(platform, { supplierId, monitorId, products: [1010], maxWaiting: 1_000 });
    // Only its own merchant's orders, so that gangs do not meet.
    await platform.db.query(
      sql`update accounts set merchant_whitelist = ${[merchantId]}::bigint[] where id = ${made.accountId}`,
    );
    const shop = {
      ...made,
      merchantId,
      supplierId,
      monitor: { id: monitorId, supplierId },
      monitorSecret: '',
    };
    const supplier = viewerOf(platform, { role: 'supplier', supplierId, userId });
    gangs.push({ shop, supplier, bank: 1_000_000_00n, stated: 1_000_000_00n });
  }
  const staff = async (role: 'customerService' | 'superAdmin' | 'admin') =>
    viewerOf(platform, { role, userId: (await makeUser(platform, { role })).id });
  return {
    gangs,
    staff: {
      customerService: await staff('customerService'),
      superAdmin: await staff('superAdmin'),
      admin: await staff('admin'),
    },
  };
}

const back = <Item>(items: readonly Item[], which: Which | 'none'): Item | undefined =>
  which === 'none' ? undefined : items.at(-1 - which);

function codedOrder(life: AttackLife, { of, coded }: Extract<AttackCommand, { kind: 'credit' }>) {
  return of === 'none' ? undefined : life.orders.at(-1 - of - (coded === 'before' ? 1 : 0));
}

function referenceOf(life: AttackLife, kind: Reference): string {
  if (kind === 'forged') return life.forged.at(-1) ?? newReference();
  return (kind === 'credit' ? life.credits.at(-1)?.reference : undefined) ?? newReference();
}

/** A credit in one of the bank's wordings. */
function worded({ texts, remark }: Pick<TrueCredit, 'texts' | 'remark'>, how: Wording): ReportedMessage {
  const message = texts[how === 'minute' || how === 'statedMinute' ? 'minute' : 'day'];
  const told = how === 'codedDay' || how === 'day' ? withoutReference(message) : message;
  if (how === 'minute') return { ...told, text: told.text.replace(/(payer@okbank).*/, '$1') };
  if (how === 'day' || !remark) return told;
  const text = told.text.replace('payer@okbank', `payer@okbank ${remark.code}`);
  return { ...told, text };
}

const isBare = (how: Wording) => how === 'day' || how === 'minute' || how === 'codedDay';

/** A message that reports a credit again. */
function reworded(platform: Platform, credit: TrueCredit, how: Rewording): ReportedMessage {
  const messageId = `again-${platform.ids.next()}`;
  if (how === 'not' && isBare(credit.wording)) return { ...credit.message, messageId };
  const message = how === 'not' ? credit.message : worded(credit, how);
  return { ...message, messageId, receivedAt: platform.clock.now() };
}

async function report(platform: Platform, life: AttackLife, messages: readonly ReportedMessage[]) {
  for (const { messageId, text } of messages) {
    const credit = life.messages.get(messageId);
    if (!credit || credit.isTold) continue;
    credit.isTold = true;
    if (credit.remark && text.includes(credit.remark.code)) credit.coded = credit.remark.id;
  }
  await receiveMessages(platform, life.gang.shop.monitor, messages);
}

/** Creates orders for these sequences' merchants. Orders that are refused or find no account do not count. */
export async function place(
  platform: Platform,
  wanted: readonly { readonly life: AttackLife; readonly amount: bigint }[],
): Promise<void> {
  const orders = await createOrders(
    platform,
    wanted.map(({ life, amount }) =>
      newOrder(life.gang.shop.merchantId, { mchOrderNo: `A${platform.ids.next()}`, amount }),
    ),
  );
  orders.forEach((order, index) => {
    if (!isRefusal(order) && order.accountId !== null)
      wanted[index]!.life.orders.push({
        id: order.id,
        amount: order.amount,
        payable: order.payable!,
        code: order.identifyCode,
      });
  });
}

/** Does what the command says. A refusal is a valid result for the attacker. */
export async function attack(
  platform: Platform,
  { staff }: AttackWorld,
  life: AttackLife,
  command: AttackCommand,
): Promise<void> {
  const { gang } = life;
  const { shop } = gang;
  switch (command.kind) {
    case 'story':
      for (const step of command.steps) await attack(platform, { staff, gangs: [] }, life, step);
      command.later.reduce((round, { rounds, step }) => {
        life.pending.push({ round: round + rounds, step });
        return round + rounds;
      }, life.round);
      return goOn(platform, { staff, gangs: [] }, life);
    case 'order': {
      const like = command.amount === 'credit' ? life.credits.at(-1)?.amount : AMOUNTS[command.amount];
      await place(platform, [{ life, amount: like ?? AMOUNTS[0] }]);
      if (!command.isNamed) return;
      return attack(platform, { staff, gangs: [] }, life, { kind: 'typeUtr', order: 0, reference: 'credit' });
    }
    case 'claimPaid': {
      const { order: of, balance } = command;
      if (!back(life.orders, of)) return;
      await attack(platform, { staff, gangs: [] }, life, { kind: 'forge', of, amount: 0, balance });
      const said = { by: 'supplier', reference: 'forged', offset: false } as const;
      return attack(platform, { staff, gangs: [] }, life, { kind: 'supplement', order: of, ...said });
    }
    case 'credit': {
      const asked = back(life.orders, command.of);
      const announced = command.isAnnounced ? life.announced.pop() : undefined;
      const amount =
        announced?.amount ?? (command.isRounded ? asked?.amount : asked?.payable) ?? AMOUNTS[command.amount]!;
      gang.bank += amount;
      const reference = announced?.reference ?? newReference();
      const texts = {
        minute: statedSms(platform, shop, { amount, balance: gang.bank, reference }),
        day: creditSms(platform, shop, amount, { reference }),
      };
      const remark = command.coded === 'not' ? undefined : codedOrder(life, command);
      const message = worded({ texts, remark }, command.told);
      const at = platform.clock.now().getTime();
      const wording = command.told;
      const said = { wording, refunded: false, isSettled: false, isTold: false };
      const credit: TrueCredit = { amount, reference, message, texts, at, remark, ...said };
      life.credits.push(credit);
      life.messages.set(message.messageId, credit);
      if (command.report === 'late') life.late.push(message);
      else {
        gang.stated = gang.bank;
        await report(platform, life, [...life.late.splice(0), message]);
      }
      return;
    }
    case 'refund':
      return refund(platform, staff, life, back(life.credits, command.credit));
    case 'repeat': {
      const credit = back(life.credits, command.credit);
      if (!credit) return;
      const again = reworded(platform, credit, command.reworded);
      life.messages.set(again.messageId, credit);
      if (command.report === 'late') life.late.push(again);
      else await report(platform, life, [again]);
      return;
    }
    case 'cancel': {
      const order = back(life.orders, command.order);
      if (order) await freeResource(platform, staff.superAdmin, { orderId: order.id, offset: false });
      return;
    }
    case 'look':
      life.rows = await look(platform, life);
      return;
    case 'join':
    case 'settle': {
      if (!command.isStale) life.rows = await look(platform, life);
      const row = life.rows[command.row];
      // An operator who knows that it was paid or refunded leaves it alone.
      if (!row || row.isTaken) return;
      if (command.kind === 'settle') return askSettle(platform, staff.customerService, life, row);
      const order = back(life.orders, command.order);
      if (order)
        await join(platform, staff[command.by], life, row, { orderId: order.id, isTrue: command.isTrue });
      return;
    }
    case 'forge': {
      const amount = back(life.orders, command.of)?.payable ?? AMOUNTS[command.amount]!;
      const reference = newReference();
      const balance = command.balance === 'fitting' ? gang.stated + amount : 9_000_000_00n + amount;
      const message =
        command.balance === 'none'
          ? creditSms(platform, shop, amount, { reference })
          : statedSms(platform, shop, { amount, balance, reference });
      life.messages.set(message.messageId, undefined);
      life.forged.push(reference);
      return report(platform, life, [message]);
    }
    case 'supplement': {
      const order = back(life.orders, command.order);
      if (!order) return;
      const viewer = command.by === 'supplier' ? gang.supplier : staff[command.by];
      const { offset } = command;
      const utr = referenceOf(life, command.reference);
      const credit = life.credits.find(({ reference }) => reference === utr);
      if (command.by !== 'supplier' && credit && (await isTaken(platform, life, credit))) return;
      const outcome = await supplement(platform, viewer, { orderId: order.id, utr, offset });
      if (command.by !== 'supplier' && command.reference === 'fresh' && !offset && !isRefusal(outcome))
        life.announced.push({ reference: utr, amount: order.payable });
      await noteRequest(platform, life, outcome, credit);
      return;
    }
    case 'typeUtr': {
      const order = back(life.orders, command.order);
      if (!order) return;
      const token = platform.vault.payToken(order.id);
      const reference = referenceOf(life, command.reference);
      const [held] = await platform.db.query(sql`
        select 1 from messages m join waiting_orders w on w.account_id = m.account_id and w.order_id = ${order.id}
        where m.utr = ${reference} and m.state = 'held' and m.reason = 'chain' and m.account_id = ${shop.accountId}`);
      await submitUtr(platform, token, reference, '10.0.0.9');
      if (held) life.named.set(reference, order.id);
      return;
    }
    case 'correct': {
      const [message] = await platform.db.query<{ id: bigint }>(sql`
        select id from messages where account_id = ${shop.accountId} and reason = 'contradictsBooked' order by id desc limit 1`);
      if (message)
        await askOffsetCorrection(platform, staff.customerService, {
          messageId: message.id,
          reason: 'it came after all',
        });
      return;
    }
    case 'decide':
      return decideOldest(platform, staff.admin, life, command.approve);
    case 'payout':
      return payOut(platform, life, command);
  }
}

/** Does the steps that earlier steps left for this round. */
export async function goOn(platform: Platform, world: AttackWorld, life: AttackLife): Promise<void> {
  const { due = [], open = [] } = Object.groupBy(life.pending, ({ round }) =>
    round <= life.round ? 'due' : 'open',
  );
  life.pending = open;
  for (const { step } of due) await attack(platform, world, life, step);
}

async function payOut(
  platform: Platform,
  life: AttackLife,
  { paid, reference }: Extract<AttackCommand, { kind: 'payout' }>,
): Promise<void> {
  const { gang } = life;
  const amount = AMOUNTS[1];
  const [payout] = await createPayouts(platform, [
    newPayout(gang.shop.merchantId, { mchOrderNo: `P${platform.ids.next()}`, amount }),
  ]);
  if (!payout || isRefusal(payout)) return;
  const utr = referenceOf(life, reference);
  if (paid) {
    gang.bank -= amount;
    gang.stated = gang.bank;
    life.debits.set(utr, amount);
    await report(platform, life, [
      statedSms(platform, gang.shop, { amount: -amount, balance: gang.bank, reference: utr }),
    ]);
  }
  if (isRefusal(await claim(platform, gang.supplier, payout.id))) return;
  life.payouts.push(payout.id);
  await confirmPaid(platform, gang.supplier, { orderId: payout.id, utr });
}
