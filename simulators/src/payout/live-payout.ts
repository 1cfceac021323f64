import { setTimeout as sleep } from 'node:timers/promises';
import { PAYOUT_STATUS, type PayoutStatus } from '@sangam/contract/payouts.ts';
import type { References } from '../bank/account-book.ts';
import type { ConsoleClient } from '../console/console-client.ts';
import type { Answer } from '../patient-caller.ts';
import { act, showOrder } from '../console/act.ts';
import type { CreateRequest } from '../merchant/merchant-client.ts';
import type { SimulatedGateway } from '../gateway/gateway.ts';
import type { SentMessage } from '../order-life.ts';
import { gatewayPayee, watchGatewayPayout } from './gateway-payout.ts';
import type { PayingSupplier, PayoutLife } from './payout-life.ts';

/** The world around a payout of the run. */
export interface PayoutSurroundings {
  readonly notifyUrl: (mchId: string, mchOrderNo: string) => string;
  readonly suppliers: readonly PayingSupplier[];
  readonly desk: ConsoleClient;
  /** Present where the plan has payouts through a gateway. */
  readonly gateway?: SimulatedGateway | undefined;
  readonly references: References;
  readonly messages: SentMessage[];
  readonly newMessageId: () => string;
}

const BANK_PAYOUT = 2001;
const GATEWAY_PAYOUT = 2010;
const CONFLICT = 409;
const CONFLICTS = [1201, 1202];
/** How long to wait until a supplier's other claims are finished. */
const ROOM_WITHIN_MS = 300_000;
const { waiting, completed, rejected } = PAYOUT_STATUS;

/** Plays one payout: the merchant requests it, a supplier claims, pays and confirms it (or not), the bank's text is reported. */
export async function livePayout(payout: PayoutLife, around: PayoutSurroundings): Promise<void> {
  const { plan } = payout;
  const request = payoutRequest(payout, around.notifyUrl);
  const answer = await payout.client.create(request, plan.format);
  if ('refused' in answer) {
    payout.refusal = `${answer.refused.code} ${answer.refused.msg}`;
    return;
  }
  const { orderCode } = answer;
  payout.orderCode = orderCode;
  await sleep(plan.delayMs);
  const supplierAt = (turn: number) => around.suppliers[(plan.supplier + turn) % around.suppliers.length]!;
  switch (plan.course) {
    case 'cancelled':
      return payout.client.cancel(payout.mchOrderNo);
    case 'rejected':
      return actOn(payout, around.desk, rejected, '/v1.0/order/reject', {
        rejectReason: 'Simulated: payee unknown',
      });
    case 'handedOn': {
      const first = supplierAt(0).console;
      await claim(first, payout);
      await actOn(payout, first, waiting, '/v1.0/order/reject', { rejectReason: 'Simulated: bank closed' });
      return payAs(supplierAt(1), payout, around);
    }
    case 'gateway':
      return watchGatewayPayout(payout, around.gateway!, around.desk);
    case 'batch':
      // The payout waits for the bulk file.
      return;
    case 'invented': {
      const { console } = supplierAt(0);
      await claim(console, payout);
      payout.invented = around.references.rrn();
      return actOn(payout, console, completed, '/v1.0/payoutOrder/confirmPaid', { utr: payout.invented });
    }
    case 'contested':
      return contest(payout, [supplierAt(0), supplierAt(1)], around);
    case 'paid':
    case 'confirmedByDesk':
      return payAs(supplierAt(0), payout, around);
  }
}

/** The merchant's request. Sent again, it is the same payout. */
export function payoutRequest(payout: PayoutLife, notifyUrl: PayoutSurroundings['notifyUrl']): CreateRequest {
  const { plan, mchId, mchOrderNo } = payout;
  const byGateway = plan.course === 'gateway';
  return {
    productId: byGateway ? GATEWAY_PAYOUT : BANK_PAYOUT,
    mchOrderNo,
    amount: plan.amount,
    notifyUrl: notifyUrl(mchId, mchOrderNo),
    userName: plan.payeeName,
    cardNumber: byGateway ? gatewayPayee(payout) : `5010${String(10_000_000 + plan.index)}`,
    ifscCode: 'HDFC0000521',
    bankName: 'HDFC Bank',
    param1: `payout-${plan.index}`,
  };
}

function actOn(
  payout: PayoutLife,
  person: ConsoleClient,
  statusAfter: PayoutStatus,
  path: string,
  input: object,
): Promise<void> {
  const orderCode = payout.orderCode!;
  return act(person, {
    of: 'payoutOrder',
    orderCode,
    path,
    input: { orderCode, ...input },
    done: (order) => order.orderStatusId === statusAfter,
  });
}

async function claim(supplier: ConsoleClient, payout: PayoutLife): Promise<void> {
  const { code, msg } = await askToClaim(supplier, payout);
  if (code === 200) return;
  // The claim may have succeeded although its answer was lost.
  const order = await showOrder(supplier, 'payoutOrder', payout.orderCode!);
  if (order?.claim !== 'mine') throw new Error(`claim: ${code} ${msg}`);
}

const claiming = new WeakMap<ConsoleClient, Promise<unknown>>();

/** Each person claims one payout after another. */
function askToClaim(supplier: ConsoleClient, payout: PayoutLife): Promise<Answer> {
  const turn = (claiming.get(supplier) ?? Promise.resolve()).then(() => askUntilRoom(supplier, payout));
  claiming.set(
    supplier,
    turn.catch(() => undefined),
  );
  return turn;
}

/** Tries again while the supplier holds the most claims allowed: it confirms them one after another. */
async function askUntilRoom(supplier: ConsoleClient, payout: PayoutLife): Promise<Answer> {
  for (const until = Date.now() + ROOM_WITHIN_MS; ; await sleep(1_000)) {
    const answer = await supplier.post('/v1.0/payoutOrderClaim/claimOrder', { orderId: payout.orderCode });
    const isFull = answer.code === CONFLICT && answer.data['reason'] === 'openClaims';
    if (!isFull || Date.now() > until) return answer;
  }
}

async function contest(
  payout: PayoutLife,
  rivals: readonly [PayingSupplier, PayingSupplier],
  around: PayoutSurroundings,
): Promise<void> {
  const claims = await Promise.all(rivals.map(({ console }) => askToClaim(console, payout)));
  const strange = claims.find(({ code }) => code !== 200 && !CONFLICTS.includes(code));
  if (strange) throw new Error(`claim: ${strange.code} ${strange.msg}`);
  // After a lost answer the claimer does not know of its claim, so the order is asked who has it.
  const owners = await Promise.all(
    rivals.map(async ({ console }) => {
      const order = await showOrder(console, 'payoutOrder', payout.orderCode!);
      return order?.claim === 'mine';
    }),
  );
  payout.claimsWon = owners.filter(Boolean).length;
  const winner = rivals[owners.indexOf(true)];
  if (!winner) throw new Error('neither of two claims was let through');
  return pay(winner, payout, around);
}

async function payAs(
  supplier: PayingSupplier,
  payout: PayoutLife,
  around: PayoutSurroundings,
): Promise<void> {
  await claim(supplier.console, payout);
  return pay(supplier, payout, around);
}

/** The bank moves the money. Its text is reported before or after the supplier's confirmation, or never. */
async function pay(supplier: PayingSupplier, payout: PayoutLife, around: PayoutSurroundings): Promise<void> {
  const { plan } = payout;
  const utr = around.references.rrn();
  const { account, phone } = supplier.accounts[plan.variant % supplier.accounts.length]!;
  const { amount } = plan;
  const at = new Date();
  payout.paid = { amount, utr };
  payout.book = account.book;
  if (plan.debit === 'never') account.lose(-amount);
  const debit = { amount, reference: utr, payeeName: plan.payeeName, variant: plan.variant, at };
  const sms = plan.debit === 'never' ? undefined : account.debit(debit);
  const tell = async (): Promise<void> => {
    if (!sms) return;
    const messageId = around.newMessageId();
    const message: SentMessage = {
      messageId,
      ...sms,
      amount,
      account: account.accountTail,
      order: null,
      kind: 'debit',
      result: null,
    };
    around.messages.push(message);
    message.result = await phone.receive({ messageId, ...sms, receivedAt: at });
  };
  const confirmer = plan.course === 'confirmedByDesk' ? around.desk : supplier.console;
  if (plan.debit === 'before') await tell();
  await actOn(payout, confirmer, completed, '/v1.0/payoutOrder/confirmPaid', { utr });
  await sleep(plan.delayMs);
  if (plan.debit === 'after') await tell();
  if (plan.debit === 'never')
    await actOn(payout, around.desk, completed, '/v1.0/payoutOrder/acceptProof', {
      reason: 'Simulated: statement of the bank seen',
    });
}
