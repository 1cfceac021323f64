import { setTimeout as sleep } from 'node:timers/promises';
import type { BankAccount, References } from './bank/account-book.ts';
import type { Desk } from './desk/desk.ts';
import type { OrderLife, SentMessage } from './order-life.ts';
import type { Phone } from './monitor/phone.ts';
import { tokenOf, type PayerClient } from './payer/payer-client.ts';
import { createPrng } from './prng.ts';

/** What an order of the run moves among. */
export interface Surroundings {
  readonly notifyUrl: (mchId: string, mchOrderNo: string) => string;
  readonly payers: PayerClient;
  /** The account an order was given, and the phone that gets its bank's texts. */
  readonly accountOf: (order: OrderLife) => { readonly account: BankAccount; readonly phone: Phone };
  readonly desk: Pick<Desk, 'supplement'>;
  readonly references: References;
  readonly messages: SentMessage[];
  readonly newMessageId: () => string;
}

/** Less than the lowest payable amount of any order: all are multiples of ten rupees and up to five above. */
const WRONG_BY = 37;

/** Lives through one order: the merchant makes it, the payer pays it (or not), the bank tells of it. */
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
  const { identifyCode } = order.created!.payParams;
  const { account, phone } = around.accountOf(order);
  if (plan.desk === 'supplement') {
    // The money came, to this account or (offset) to another one; the phone does not say so by itself, and the payer shows the desk a receipt.
    const isElsewhere = plan.index % 2 === 0;
    order.paid = order.created!.payParams.payableAmount;
    const reference = around.references.rrn();
    if (!isElsewhere) {
      const at = new Date();
      const { payerName } = plan;
      const { sms, reported } = account.swallow({
        amount: order.paid,
        reference,
        payerName,
        variant: plan.bank.variant,
        at,
      });
      phone.swallow({ messageId: around.newMessageId(), ...sms, receivedAt: at }, reported);
    }
    await sleep(plan.bank.delayMs);
    await around.desk.supplement(order.created!.orderCode, reference, isElsewhere);
    return;
  }
  const reference = { rrn: around.references.rrn, neft: around.references.neft, none: () => undefined }[
    plan.bank.reference
  ]();
  const at = new Date();
  const wording = {
    reference,
    payerName: plan.bank.remark ? `${plan.payerName} ${identifyCode}` : plan.payerName,
    variant: plan.bank.variant,
    at,
  };
  // A rounded sum is no evidence by itself: without code or reference in the text this payer pays exactly.
  const told = account.preview(wording);
  const utr = plan.payer.utr;
  const named = told.includes(identifyCode) || (reference !== undefined && told.includes(reference));
  const rounds = plan.payer.pays === 'rounded' && named;
  const amount = amountOf(order, rounds);
  const submitsFirst = utr === 'beforeMessage' || (rounds && !told.includes(identifyCode));
  order.paid = amount;
  const sms = account.credit({ ...wording, amount });

  if (reference !== undefined && submitsFirst) await around.payers.submitUtr(token, reference);
  if (utr === 'mistyped' && !submitsFirst) {
    await around.payers.submitUtr(token, `9${createPrng(plan.index, 5).digits(11)}`);
  }
  await sleep(plan.bank.delayMs);
  const receivedAt = new Date();
  const tell = async (kind: SentMessage['kind'], messageId: string): Promise<void> => {
    const message: SentMessage = { messageId, ...sms, amount, order, kind, result: null };
    around.messages.push(message);
    message.result = await phone.receive({ messageId, ...sms, receivedAt });
  };
  const messageId = around.newMessageId();
  const repeats = plan.bank.repeats.map(async (kind, index) => {
    await sleep(50 + 700 * index);
    if (kind === 'sameId') await tell(kind, messageId);
    // Two tellings can only be known for one movement by its reference, or by balance and second.
    else if (namesMovement(sms.text, reference)) await tell(kind, around.newMessageId());
  });
  await Promise.all([tell('first', messageId), ...repeats]);
  if (reference !== undefined && utr === 'afterMessage') await around.payers.submitUtr(token, reference);
}

/** Somebody who did not pay makes the phone tell that they did. */
async function forge(order: OrderLife, around: Surroundings): Promise<void> {
  const { plan } = order;
  await sleep(plan.payer.delayMs);
  const { account, phone } = around.accountOf(order);
  const receivedAt = new Date();
  const amount = order.created!.payParams.payableAmount;
  const credit = {
    amount,
    reference: around.references.rrn(),
    payerName: plan.payerName,
    variant: plan.bank.variant,
    at: receivedAt,
  };
  const sms = account.forge(credit, plan.forged === 'insider');
  const messageId = around.newMessageId();
  const message: SentMessage = { messageId, ...sms, amount, order, kind: 'forged', result: null };
  around.messages.push(message);
  message.result = await phone.receive({ messageId, ...sms, receivedAt });
}

function amountOf(order: OrderLife, rounds: boolean): number {
  if (order.plan.payer.pays === 'wrong') return order.plan.amount - WRONG_BY;
  return rounds ? order.plan.amount : order.created!.payParams.payableAmount;
}

function namesMovement(text: string, reference: string | undefined): boolean {
  if (reference !== undefined && text.includes(reference)) return true;
  return /\bbal/i.test(text) && /\d\d:\d\d:\d\d/.test(text);
}
