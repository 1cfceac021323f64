import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { createOrders } from '../collection/create.ts';
import { askOffsetCorrection } from '../evidence/lost/correct-offset.ts';
import { settleOutside } from '../evidence/lost/settle-outside.ts';
import type { ReportedMessage } from '../evidence/matching/message.ts';
import { submitUtr } from '../evidence/matching/payer-utr.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { createPayouts } from '../payout/create.ts';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { AMOUNTS, type AttackCommand, type Reference, type Rewording, type Which } from './attack-model.ts';
import { creditSms, newOrder, newReference, type Shop, statedSms, withoutReference } from './payments.ts';
import { giveFunds, newPayout } from './payouts.ts';
import { makeAccount, makeMerchant, makeMonitor, makeSupplier, makeUser, viewerOf } from './world.ts';

export const DEPOSIT = 60_000_00n;

/** Money that came to the account: what the bank's true book says. */
export interface TrueCredit {
  readonly amount: bigint;
  readonly reference: string;
  readonly message: ReportedMessage;
  readonly at: number;
  refunded: boolean;
  /** The order whose code it carries, as far as anybody could read it. */
  coded?: bigint | undefined;
}

/** A supplier with its phone and account, a merchant that may be its friend, and what the bank's book and the phone have. */
export interface Gang {
  readonly shop: Shop;
  readonly supplier: Viewer;
  /** What the account really holds, and the balance the last message stated. */
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
  readonly credits: TrueCredit[];
  readonly forged: string[];
  /** Bank messages of this sequence by the phone's id: the credit each tells of, undefined for a forged one. */
  readonly messages: Map<string, TrueCredit | undefined>;
  readonly late: ReportedMessage[];
  /** Debits of the bank's book, by reference. */
  readonly debits: Map<string, bigint>;
  /** Credits that have paid an order, as far as the model has seen. */
  readonly spent: Set<TrueCredit>;
  /** Its last step placed an order. */
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
    // Its own merchant's orders only: gangs do not meet.
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

/** What tells of a credit again. The other wordings of a bank name no reference, and the day or the minute when the money came. */
function reworded(platform: Platform, shop: Shop, credit: TrueCredit, how: Rewording): ReportedMessage {
  const { message, amount, at } = credit;
  if (how === 'day') return withoutReference(creditSms(platform, shop, amount, { receivedAt: new Date(at) }));
  const text = how === 'not' ? message.text : message.text.replace(/(payer@okbank).*/, '$1');
  return { ...message, text, messageId: `again-${platform.ids.next()}` };
}

async function report(platform: Platform, { gang }: AttackLife, messages: readonly ReportedMessage[]) {
  await receiveMessages(platform, gang.shop.monitor, messages);
}

/** Orders of these sequences' merchants; those that are refused, or find no account, count for nothing. */
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

/** Does what the command says; refusals are what an attacker must live with. */
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
      return;
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
      const amount = (command.isRounded ? asked?.amount : asked?.payable) ?? AMOUNTS[command.amount]!;
      gang.bank += amount;
      const reference = newReference();
      const named = command.coded === 'not' ? undefined : codedOrder(life, command);
      const told = statedSms(platform, shop, { amount, balance: gang.bank, reference });
      const message = named
        ? { ...told, text: told.text.replace('payer@okbank', `payer@okbank ${named.code}`) }
        : told;
      const at = platform.clock.now().getTime();
      const credit = { amount, reference, message, at, refunded: false, coded: named?.id };
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
      return refund(platform, { staff, gangs: [] }, life, back(life.credits, command.credit));
    case 'repeat': {
      const credit = back(life.credits, command.credit);
      if (!credit) return;
      const again = {
        ...reworded(platform, shop, credit, command.reworded),
        receivedAt: platform.clock.now(),
      };
      life.messages.set(again.messageId, credit);
      // Its other wording, which is still on the way, is no evidence against what this one pays.
      if (command.reworded !== 'not' && life.late.includes(credit.message)) credit.coded = undefined;
      if (command.report === 'late') life.late.push(again);
      else await report(platform, life, [again]);
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
      await supplement(platform, viewer, {
        orderId: order.id,
        utr: referenceOf(life, command.reference),
        offset,
      });
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

/** An operator who refunds what may still be matched says so, and a second person agrees; of an older credit nobody says anything. */
async function refund(
  platform: Platform,
  { staff }: AttackWorld,
  life: AttackLife,
  credit: TrueCredit | undefined,
): Promise<void> {
  if (!credit || credit.refunded || life.spent.has(credit)) return;
  if (platform.clock.now().getTime() - credit.at < 2 * DAY) {
    const [message] = await platform.db.query<{ id: bigint }>(sql`
      select id from messages where utr = ${credit.reference} and account_id = ${life.gang.shop.accountId} and direction = 'credit'
        and state not in ('matched', 'duplicate') limit 1`);
    if (!message) return;
    const asked = await settleOutside(platform, staff.customerService, {
      messageId: message.id,
      reason: 'refunded by hand',
    });
    if (asked.code !== 'approvalNeeded') return;
    const { todoId } = asked.data as { readonly todoId: string };
    const id = BigInt(todoId);
    const decided = await decide(platform, APPROVAL_HANDLERS, staff.admin, { id, approve: true });
    if (isRefusal(decided)) return;
  }
  life.gang.bank -= credit.amount;
  credit.refunded = true;
}

async function decideOldest(platform: Platform, admin: Viewer, life: AttackLife, approve: boolean) {
  const [open] = await platform.db.query<{ id: bigint }>(sql`
    select id from approvals where status = 'pending' and subject_kind = 'order'
      and subject_id = any(${life.orders.map(({ id }) => id)}) order by id limit 1`);
  if (open) await decide(platform, APPROVAL_HANDLERS, admin, { id: open.id, approve });
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
