import { formatMinor } from '@sangam/contract/money.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { setFrozen } from '../orders/holds/set-hold.ts';
import { acceptProof } from '../payout/accept-proof.ts';
import { confirmRows } from '../payout/batch/confirm.ts';
import { exportBatch, markSent } from '../payout/batch/send.ts';
import { uploadResult } from '../payout/batch/upload-result.ts';
import { cancelClaim } from '../payout/cancel-claim.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { createPayouts } from '../payout/create.ts';
import { readPayout } from '../payout/read.ts';
import { reject } from '../payout/reject.ts';
import { reselectPayout } from '../payout/reselect.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop } from './batches.ts';
import { debitSms, monitorOf, type PayingAccount, returnSms } from './debits.ts';
import {
  type Action,
  type DebitShop,
  isReturn,
  type Message,
  type Payment,
  paymentOf,
  type DebitRow,
  type Which,
} from './debit-rows.ts';
import { newReference } from './payments.ts';
import { newPayout } from './payouts.ts';
import { reverseByTwo } from './reversal.ts';
import { makeAccount, makeMonitor, makeUser, viewerOf } from './world.ts';

export interface DebitGang {
  readonly shop: BatchShop;
  readonly own: Viewer;
  readonly rival: Viewer;
  readonly rivalAccount: PayingAccount & { readonly accountId: bigint };
}
export interface Staff {
  readonly desk: Viewer;
  readonly second: Viewer;
}

export interface DebitLife {
  readonly row: DebitRow;
  readonly shop: DebitShop;
  readonly gang: DebitGang;
  readonly amount: bigint;
  readonly utrs: Readonly<Record<Payment | 'I', string>>;
  readonly ids: Readonly<Record<Which, bigint>>;
  batchId: string | undefined;
  /** When and from which account each payment left; the payout that it truly paid. */
  readonly moved: Map<
    Payment,
    { readonly at: Date; readonly from: PayingAccount; readonly pays: Which | undefined }
  >;
  readonly told: Map<string, Message>;
  readonly trail: string[];
}

export async function makeGangs(platform: Platform, count: number): Promise<DebitGang[]> {
  const gangs: DebitGang[] = [];
  for (let n = 0; n < count; n += 1) {
    const shop = await makeBatchShop(platform, 10n ** 11n);
    const { otherSupplierId } = shop;
    const { monitorId } = await makeMonitor(platform, { supplierId: otherSupplierId });
    const kind = { direction: 'out', bank: 'ICIC', senderHeader: 'ICICIB', products: [2001] } as const;
    const account = await makeAccount(platform, { supplierId: otherSupplierId, monitorId, ...kind });
    const ids = [shop.accountId, account.accountId];
    await platform.db.query(
      sql`update accounts set merchant_whitelist = ${[shop.merchantId]}::bigint[] where id = any(${ids})`,
    );
    await platform.db.query(sql`update resources set state = 0 where account_id = any(${ids})`);
    const viewer = async (supplierId: bigint) => {
      const [user] = await platform.db.query<{ userId: bigint }>(
        sql`select user_id as "userId" from suppliers where id = ${supplierId}`,
      );
      return viewerOf(platform, { role: 'supplier', supplierId, ...user! });
    };
    gangs.push({
      shop,
      own: await viewer(shop.supplierId),
      rival: await viewer(otherSupplierId),
      rivalAccount: { ...account, monitorId, supplierId: otherSupplierId },
    });
  }
  return gangs;
}

export async function makeStaff(platform: Platform): Promise<Staff> {
  const admin = async () =>
    viewerOf(platform, { role: 'admin', userId: (await makeUser(platform, { role: 'admin' })).id });
  return { desk: await admin(), second: await admin() };
}

const PAYEES: Readonly<Record<Which, string>> = { A: '50100123456789', B: '50100123454321' };

function must<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(`${result.code} ${JSON.stringify(result.data)}`);
  return result as T;
}

export async function beginLife(
  platform: Platform,
  row: DebitRow,
  shop: DebitShop,
  gang: DebitGang,
  amount: bigint,
): Promise<DebitLife> {
  const make = async (which: Which) => {
    const input = newPayout(gang.shop.merchantId, { mchOrderNo: `D${platform.ids.next()}`, amount });
    const [made] = await createPayouts(platform, [
      { ...input, payee: { ...(input.payee as object), cardNumber: PAYEES[which] } as typeof input.payee },
    ]);
    return must(made!).id;
  };
  let batchId: string | undefined;
  const file = async () => {
    batchId = (await makeBatch(platform, gang.shop, { minAmount: Number(amount), maxAmount: Number(amount) }))
      .batchId;
    must(await exportBatch(platform, gang.shop.admin, batchId));
    must(await markSent(platform, gang.shop.admin, batchId));
  };
  const A = await make('A');
  if (shop.has !== 'files') must(await claim(platform, gang.own, A));
  const B = await make('B');
  if (shop.has === 'claims') must(await claim(platform, gang.own, B));
  if (shop.has === 'rivals') must(await claim(platform, gang.rival, B));
  if (shop.has === 'claimAndFile' || shop.has === 'files') await file();
  const utrs = { P: newReference(), Q: newReference(), X: newReference(), I: newReference() };
  return {
    row,
    shop,
    gang,
    amount,
    utrs,
    ids: { A, B },
    batchId,
    moved: new Map(),
    told: new Map(),
    trail: [],
  };
}

async function messageOf(platform: Platform, life: DebitLife, message: Message) {
  const { gang, shop, amount, utrs, ids } = life;
  const payment = paymentOf(message);
  if (!life.moved.has(payment)) {
    const which = payment === 'Q' ? 'B' : 'A';
    const order = (await readPayout(platform.db, ids[which]))!;
    const isRivals = order.supplierId === gang.rival.supplierId;
    // Nobody pays a payout that is no longer theirs. A reversed one has been paid or not before.
    const isPayable =
      order.supplierId !== null && order.reversedAt === null && order.status !== 9 && order.status !== 6;
    life.moved.set(payment, {
      at: platform.clock.now(),
      from: isRivals ? gang.rivalAccount : gang.shop,
      pays: payment !== 'X' && isPayable ? which : undefined,
    });
  }
  const { at, from } = life.moved.get(payment)!;
  const sum = payment === 'X' ? amount - 1_00n : amount;
  const utr = utrs[payment];
  const sms = isReturn(message)
    ? returnSms(platform, from, {
        amount: sum,
        ...(message === 'P return' ? { utr } : {}),
        ...(message === 'P namingReturn' ? { text: ` of IMPS/${utr}` } : {}),
      })
    : debitSms(platform, from, {
        amount: sum,
        utr: message.endsWith('bare') ? null : utr,
        ...(shop.digits ? { to: PAYEES[payment === 'Q' ? 'B' : 'A'].slice(-4) } : {}),
        movedAt: at,
        dayOnly: shop.texts === 'day',
      });
  life.told.set(sms.messageId, message);
  return { from, sms };
}

export async function report(
  platform: Platform,
  life: DebitLife,
  messages: readonly Message[],
): Promise<void> {
  const made = [];
  for (const message of messages) made.push(await messageOf(platform, life, message));
  const said: string[] = [];
  for (const [from, group] of Map.groupBy(made, (each) => each.from)) {
    const results = await receiveMessages(
      platform,
      monitorOf(from),
      group.map(({ sms }) => sms),
    );
    said.push(...results.map(({ state }) => state));
  }
  life.trail.push(`${messages.join(' + ')}: ${said.join(', ')}`);
}

export async function act(platform: Platform, staff: Staff, life: DebitLife, action: Action): Promise<void> {
  const said = await outcomeOf(platform, staff, life, action);
  life.trail.push(
    `${action}: ${said === undefined ? 'nothing' : isRefusal(said) ? `${said.code} ${JSON.stringify(said.data)}` : 'done'}`,
  );
}

async function outcomeOf(platform: Platform, { desk, second }: Staff, life: DebitLife, action: Action) {
  const { gang, utrs, batchId } = life;
  const which = action[0] as Which;
  const orderId = life.ids[which];
  const order = (await readPayout(platform.db, orderId))!;
  const holder = order.supplierId === gang.rival.supplierId ? gang.rival : gang.own;
  const byTwo = async (said: object | Promise<object>): Promise<unknown> => {
    const asked = await said;
    if (!isRefusal(asked) || asked.code !== 'approvalNeeded') return asked;
    const id = BigInt((asked.data as { readonly todoId: string }).todoId);
    return decide(platform, APPROVAL_HANDLERS, second, { id, approve: true });
  };
  const rest = action.slice(2);
  const reason = 'seen at the bank';
  if (rest.startsWith('says '))
    return confirmPaid(platform, holder, { orderId, utr: utrs[rest[5] as Payment] });
  if (rest.startsWith('names ')) {
    const accountId = holder === gang.rival ? gang.rivalAccount.accountId : gang.shop.accountId;
    return confirmPaid(platform, holder, { orderId, utr: utrs[rest[6] as Payment], accountId });
  }
  if (rest.startsWith('desk '))
    return byTwo(confirmPaid(platform, desk, { orderId, utr: utrs[rest[5] as Payment] }));
  switch (rest) {
    case 'gives':
      return order.status === 1
        ? cancelClaim(platform, holder, orderId)
        : byTwo(reject(platform, holder, { orderId, reason }));
    case 'refund':
      return byTwo(reject(platform, desk, { orderId, reason }));
    case 'rival':
      return claim(platform, gang.rival, orderId);
    case 'freeze':
    case 'unfreeze':
      return byTwo(
        setFrozen(platform, desk, {
          subjectKind: 'order',
          subjectId: String(orderId),
          reason,
          frozen: rest === 'freeze',
        }),
      );
    case 'undo':
      return reverseByTwo(platform, { orderId });
    case 'accept':
      return byTwo(acceptProof(platform, desk, { orderId, reason }));
    case 'again':
      return reselectPayout(platform, desk, orderId);
    default:
      return batchId === undefined ? undefined : file(platform, desk, byTwo, life, batchId, rest.slice(5));
  }
}

async function file(
  platform: Platform,
  desk: Viewer,
  byTwo: (said: object) => Promise<unknown>,
  life: DebitLife,
  batchId: string,
  what: string,
): Promise<unknown> {
  const filed = await platform.db.query<{ n: number; id: bigint }>(
    sql`select row_number as n, order_id as id from payout_batch_orders where batch_id = ${BigInt(batchId)} order by 1`,
  );
  const status = what === 'fails' ? 'Rejected' : what === 'paid' ? 'Paid' : 'Processing';
  const utr = what === 'Q' || what === 'P' ? { utr: life.utrs[what] } : {};
  const rows = filed.map(({ n, id }) => ({
    reference: `B${batchId}R00${n}`,
    amount: formatMinor(life.amount, 'INR'),
    status: 'Processing',
    ...(id === life.ids.B ? { status, reason: status === 'Rejected' ? 'closed' : '', ...utr } : {}),
  }));
  // Two files with the same bytes are one.
  const bytes = Buffer.from(iciciReport(rows));
  const taken = await uploadResult(platform, desk, batchId, { name: 'report.csv', bytes });
  if (isRefusal(taken)) return taken;
  const done = await confirmRows(platform, desk, { batchId });
  const [todo] = await platform.db.query<{ id: bigint }>(
    sql`select id from approvals where kind = 'resultFile' and status = 'pending' and subject_id = ${BigInt(batchId)}`,
  );
  if (!todo) return done;
  return byTwo(refuse('approvalNeeded', {}, { todoId: String(todo.id) }));
}
