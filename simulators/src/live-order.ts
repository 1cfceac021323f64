import { setTimeout as sleep } from 'node:timers/promises';
import { type BankAccount, naming, type References } from './bank/account-book.ts';
import type { BankSms } from './bank/write-sms.ts';
import type { ConsoleClient } from './console/console-client.ts';
import type { Desk } from './desk/desk.ts';
import type { OrderLife, SentMessage } from './order-life.ts';
import type { Phone } from './monitor/phone.ts';
import { tokenOf, type PayerClient } from './payer/payer-client.ts';
import { createPrng } from './prng.ts';

/** The world around an order of the run. */
export interface Surroundings {
  readonly notifyUrl: (mchId: string, mchOrderNo: string) => string;
  readonly payers: PayerClient;
  /** The account of an order, and the phone that gets that account's bank texts. */
  readonly accountOf: (order: OrderLife) => { readonly account: BankAccount; readonly phone: Phone };
  /** An account that is not the order's. */
  readonly otherThan: Surroundings['accountOf'];
  /** The supplier who owns the account. */
  readonly supplierOf: (account: BankAccount) => ConsoleClient;
  readonly desk: Pick<Desk, 'supplement'>;
  readonly references: References;
  readonly messages: SentMessage[];
  readonly newMessageId: () => string;
}

/** Paise. Every payable amount is a multiple of ten rupees plus at most five rupees, so no other order has a sum smaller by this. */
const WRONG_BY = 37;
/** For each of these paise of the order, the payer of a false receipt paid ten rupees. */
const TENTH = 10_000;
const APPROVAL_NEEDED = 1205;

/** Plays one order: the merchant creates it, the payer pays it (or not), the bank's text is reported. */
export async function liveOrder(order: OrderLife, around: Surroundings): Promise<void> {
  const { plan } = order;
  const answer = await order.client.create(
    {
      productId: plan.productId,
      mchOrderNo: order.mchOrderNo,
      amount: plan.amountAsText ? String(plan.amount) : plan.amount,
      notifyUrl: around.notifyUrl(order.mchId, order.mchOrderNo),
      subject: 'Simulated order',
      clientIp: `49.36.${plan.index % 250}.${(plan.index * 7) % 250}`,
      param1: `run-${plan.index}`,
      ...(plan.index % 3 === 0 ? { userName: plan.payerName } : {}),
    },
    plan.format,
  );
  if ('refused' in answer) {
    order.refusal = `${answer.refused.code} ${answer.refused.msg}`;
    return;
  }
  order.created = answer;
  order.account = around.accountOf(order).account.accountTail;
  if (plan.payer.pays === 'never') {
    if (plan.forged !== null) await forge(order, around);
    return;
  }
  const token = tokenOf(answer.payUrl);
  await sleep(plan.payer.delayMs / 2);
  await around.payers.openPage(token);
  await sleep(plan.payer.delayMs / 2);
  await pay(order, token, around);
}

async function pay(order: OrderLife, token: string, around: Surroundings): Promise<void> {
  const { plan } = order;
  if (plan.desk === 'supplement') return payUnseen(order, around);
  if (plan.desk === 'otherAmount' || plan.desk === 'otherAccount') return deceive(order, around);
  const { identifyCode } = order.created!.payParams;
  const { account, phone } = around.accountOf(order);
  const { reworded } = plan.bank;
  const reference = { rrn: around.references.rrn, neft: around.references.neft, none: () => undefined }[
    plan.bank.reference
  ]();
  const printed = reworded?.printsUtr ? undefined : reference;
  const at = new Date();
  const wording = {
    reference: printed,
    payerName: plan.bank.remark ? `${plan.payerName} ${identifyCode}` : plan.payerName,
    variant: plan.bank.variant,
    at,
  };
  // A rounded amount alone is no evidence. Where the text has neither code nor reference, this payer pays exactly.
  const preview = account.preview(wording);
  const utr = plan.payer.utr;
  const named = preview.includes(identifyCode) || (printed !== undefined && preview.includes(printed));
  const rounds = plan.payer.pays === 'rounded' && named;
  const amount = amountOf(order, rounds);
  const submitsFirst = utr === 'beforeMessage' || (rounds && !preview.includes(identifyCode));
  order.paid = amount;
  const first = account.credit({ ...wording, amount });
  const other = reworded
    ? account.reword({
        ...wording,
        reference: reworded.printsUtr ? reference : undefined,
        variant: wording.variant + 1,
        amount,
      })
    : undefined;

  if (reference !== undefined && submitsFirst) await around.payers.submitUtr(token, reference);
  if (utr === 'mistyped' && !submitsFirst) {
    await around.payers.submitUtr(token, `9${createPrng(plan.index, 5).digits(11)}`);
  }
  await sleep(plan.bank.delayMs);
  const receivedAt = new Date();
  const tellFirst = (kind: SentMessage['kind'], messageId: string) =>
    tell(order, around, { kind, messageId, sms: first, amount, account, phone, receivedAt });
  const messageId = around.newMessageId();
  const repeats = plan.bank.repeats.map(async (kind, index) => {
    await sleep(50 + 700 * index);
    if (kind === 'sameId') await tellFirst(kind, messageId);
    // Two messages are recognised as one movement only by the reference, or by the balance and the second.
    else if (namesMovement(first.text, printed)) await tellFirst(kind, around.newMessageId());
  });
  await Promise.all([tellFirst('first', messageId), ...repeats]);
  if (reference !== undefined && utr === 'afterMessage') await around.payers.submitUtr(token, reference);
  if (!reworded || !other || other.text === first.text) return;
  await sleep(reworded.afterMs);
  await tell(order, around, { kind: 'reworded', sms: other, amount, account, phone });
}

/**
 * Money that no phone reports: it comes to this account, or (offset) to another one. The payer shows the desk a receipt, and the
 * desk supplements the order.
 */
async function payUnseen(order: OrderLife, around: Surroundings): Promise<void> {
  const { plan } = order;
  const { account, phone } = around.accountOf(order);
  const isElsewhere = plan.index % 2 === 0;
  const amount = order.created!.payParams.payableAmount;
  order.paid = amount;
  const reference = around.references.rrn();
  if (!isElsewhere) {
    const at = new Date();
    const { payerName } = plan;
    const { sms, reported } = account.swallow({
      amount,
      reference,
      payerName,
      variant: plan.bank.variant,
      at,
    });
    phone.swallow({ messageId: around.newMessageId(), ...sms, receivedAt: at }, reported);
  }
  await sleep(plan.bank.delayMs);
  await around.desk.supplement(order.created!.orderCode, reference, isElsewhere);
  order.said = amount;
}

/** The payer's receipt is false. The desk believes it; then the bank reports another sum, or another account, under the same UTR. */
async function deceive(order: OrderLife, around: Surroundings): Promise<void> {
  const { plan } = order;
  const { payableAmount, orderCode } = { ...order.created!.payParams, ...order.created! };
  const isElsewhere = plan.desk === 'otherAccount';
  const { account, phone } = isElsewhere ? around.otherThan(order) : around.accountOf(order);
  const amount = isElsewhere ? payableAmount : Math.floor(plan.amount / TENTH) * 1_000 - WRONG_BY;
  const reference = around.references.rrn();
  order.paid = amount;
  await around.desk.supplement(orderCode, reference, false);
  order.said = payableAmount;
  await sleep(plan.bank.delayMs);
  const { payerName } = plan;
  const wording = naming(account, { reference, payerName, variant: plan.bank.variant, at: new Date() });
  const sms = account.credit({ ...wording, amount });
  await tell(order, around, { kind: 'contradiction', sms, amount, account, phone });
}

/**
 * Somebody who did not pay makes the phone report a payment. If it is the order's own supplier, the supplier supplements the order
 * too.
 */
async function forge(order: OrderLife, around: Surroundings): Promise<void> {
  const { plan } = order;
  await sleep(plan.payer.delayMs);
  const { account, phone } = around.accountOf(order);
  const amount = order.created!.payParams.payableAmount;
  const reference = around.references.rrn();
  const { payerName } = plan;
  const credit = { amount, reference, payerName, variant: plan.bank.variant, at: new Date() };
  const sms = account.forge(credit, plan.forged === 'insider');
  await tell(order, around, { kind: 'forged', sms, amount, account, phone });
  if (plan.colludes === null) return;
  const { orderCode } = order.created!;
  const isOffset = plan.colludes === 'offset';
  const input = { orderCode, utr: reference, isOffsetReplenishmentOrder: isOffset };
  const { code, msg } = await around.supplierOf(account).post('/v1.0/order/replenishmentOrder', input);
  // Nobody approves it: an offset, or an amount above the supplier's deposit.
  if (code === APPROVAL_NEEDED) return;
  if (code !== 200 || isOffset) throw new Error(`a supplier's own supplement: ${code} ${msg}`);
  order.said = amount;
}

/** A bank's text, and the phone that reports it. */
interface Telling {
  readonly kind: SentMessage['kind'];
  /** A new id, unless the message is reported again. */
  readonly messageId?: string;
  readonly sms: BankSms;
  readonly amount: number;
  readonly account: BankAccount;
  readonly phone: Phone;
  readonly receivedAt?: Date;
}

async function tell(order: OrderLife, around: Surroundings, telling: Telling): Promise<void> {
  const { kind, messageId = around.newMessageId(), sms, amount, account, phone } = telling;
  const message: SentMessage = {
    messageId,
    ...sms,
    amount,
    account: account.accountTail,
    order,
    kind,
    result: null,
  };
  around.messages.push(message);
  message.result = await phone.receive({ messageId, ...sms, receivedAt: telling.receivedAt ?? new Date() });
}

function amountOf(order: OrderLife, rounds: boolean): number {
  if (order.plan.payer.pays === 'wrong') return order.plan.amount - WRONG_BY;
  return rounds ? order.plan.amount : order.created!.payParams.payableAmount;
}

function namesMovement(text: string, reference: string | undefined): boolean {
  if (reference !== undefined && text.includes(reference)) return true;
  return /\bbal/i.test(text) && /\d\d:\d\d:\d\d/.test(text);
}
