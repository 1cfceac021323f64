import { formatMinor } from '@sangam/contract/money.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import type { CheckAnswer, PayoutChannel, SendAnswer } from '../channels/payout-channel.ts';
import { setFrozen } from '../orders/holds/set-hold.ts';
import { payoutVersion } from '../payout/actions.ts';
import { confirmRows } from '../payout/batch/confirm.ts';
import { createBatch } from '../payout/batch/create.ts';
import { cancelBatch, exportBatch, markSent } from '../payout/batch/send.ts';
import { uploadResult } from '../payout/batch/upload-result.ts';
import { cancelClaim } from '../payout/cancel-claim.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { createPayouts } from '../payout/create.ts';
import { readPayout } from '../payout/read.ts';
import { reject } from '../payout/reject.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { withdrawFunds } from '../treasury/withdrawal.ts';
import type { PayoutAttack, Side } from './attack-payouts-model.ts';
import { changeFormat, type FormatPeople, makeFormat, OWN_ACCOUNT } from './attack-formats.ts';
import { batchRequest, type BatchShop, iciciReport, makeBatchShop } from './batches.ts';
import { reportDebit } from './debits.ts';
import { dispatchWaiting } from './gateway.ts';
import { newReference } from './payments.ts';
import { GATEWAY_PAYOUT, newPayout } from './payouts.ts';
import { makeUser, viewerOf } from './world.ts';

/**
 * The payout side of the attacker model: suppliers claim, confirm and upload files; the desk acts on old rows; holds; late gateway answers.
 */

export interface PayoutGang {
  readonly shop: BatchShop;
  /** The format of its bank's files. */
  readonly templateId: string;
  /** The people who decide about its payouts. Decisions of one person alone are counted by day. */
  readonly staff: Pick<PayoutWorld, 'desk' | 'customerService'>;
  readonly suppliers: Readonly<Record<Side, Viewer>>;
  balance: bigint;
}

export interface PayoutWorld {
  readonly gangs: readonly PayoutGang[];
  readonly desk: Viewer;
  readonly other: Viewer;
  readonly customerService: Viewer;
  readonly bosses: FormatPeople;
  readonly channels: ReadonlyMap<number, PayoutChannel>;
  /** What the gateway really did, by order. */
  readonly paidByGateway: Set<string>;
}

export interface PayoutLife {
  readonly gang: PayoutGang;
  readonly amount: bigint;
  readonly payouts: bigint[];
  /** Payouts that the desk states as paid, by its own word or by its own file. */
  readonly stated: Set<bigint>;
  /** The row that the desk looked at. */
  seen: { readonly id: bigint; readonly version: string; readonly supplierId: bigint | null } | undefined;
  /** Payouts that the desk confirmed from such a row, with the supplier whose claim it had seen. */
  readonly seenPaid: Map<bigint, bigint | null>;
  readonly debits: string[];
  /** The latest claim of the first supplier, and a payout that went to the bank in a file. */
  ownClaim: bigint | undefined;
  filed: bigint | undefined;
  /** By the number of each debit: the payout that its money really paid. */
  readonly movedFor: Map<string, bigint>;
  batch: { readonly id: string } | undefined;
  /** Payouts that the desk's file called rejected when they were completed. */
  readonly bankRejected: Set<bigint>;
  readonly held: { merchant: boolean; supplier: boolean };
  /** What was done although it was held. */
  readonly wrong: string[];
  gateway: bigint | undefined;
  /** Other requests that wait for a second person. */
  readonly asked: bigint[];
  /** A withdrawal that waits for a second person. */
  withdrawal: bigint | undefined;
  /** The round in which the gateway paid, and the round in which the desk refunded. */
  readonly gatewayPaid: Map<bigint, number>;
  readonly refunded: Map<bigint, number>;
}

/** The amounts of a run's payouts. Each run has its own, so that open payouts of earlier runs do not matter. */
const AMOUNT = 500_00n;
const AMOUNTS = 1_000;
let runs = 0;

export function beginPayoutLife(gang: PayoutGang): PayoutLife {
  runs = (runs + 1) % AMOUNTS;
  return {
    gang,
    amount: AMOUNT - BigInt(runs),
    payouts: [],
    stated: new Set(),
    seen: undefined,
    seenPaid: new Map(),
    debits: [],
    ownClaim: undefined,
    filed: undefined,
    movedFor: new Map(),
    batch: undefined,
    bankRejected: new Set(),
    held: { merchant: false, supplier: false },
    wrong: [],
    gateway: undefined,
    asked: [],
    withdrawal: undefined,
    gatewayPaid: new Map(),
    refunded: new Map(),
  };
}

export async function makePayoutWorld(platform: Platform, count: number): Promise<PayoutWorld> {
  const staff = async (role: 'superAdmin' | 'admin' | 'customerService') =>
    viewerOf(platform, { role, userId: (await makeUser(platform, { role })).id });
  const bosses = { boss: await staff('superAdmin'), otherBoss: await staff('superAdmin') };
  const gangs: PayoutGang[] = [];
  for (let n = 0; n < count; n += 1) {
    const shop = await makeBatchShop(platform, 10n ** 11n);
    // Only its own merchant's payouts, so that gangs do not meet.
    await platform.db.query(
      sql`update accounts set merchant_whitelist = ${[shop.merchantId]}::bigint[] where id = ${shop.accountId}`,
    );
    const viewer = (supplierId: bigint) =>
      viewerOf(platform, { role: 'supplier', supplierId, userId: shop.adminId });
    gangs.push({
      shop,
      templateId: await makeFormat(platform, bosses, `gang ${shop.merchantId}`),
      staff: { desk: await staff('admin'), customerService: await staff('customerService') },
      suppliers: { own: viewer(shop.supplierId), rival: viewer(shop.otherSupplierId) },
      balance: 10_000_000_00n,
    });
  }
  const paidByGateway = new Set<string>();
  const channel: PayoutChannel = {
    // The gateway never says whether it received the payout. What it did is known only later.
    send: (): Promise<SendAnswer> => Promise.resolve({ outcome: 'unknown', reason: 'no answer' }),
    check: ({ key }): Promise<CheckAnswer> =>
      Promise.resolve(paidByGateway.has(key) ? { state: 'processed', utr: null } : { state: 'unknown' }),
  };
  return {
    gangs,
    desk: await staff('admin'),
    other: await staff('admin'),
    customerService: await staff('customerService'),
    bosses,
    channels: new Map([[GATEWAY_PAYOUT, channel]]),
    paidByGateway,
  };
}

/** The reason for calling off a batch, in its history. */
export const CALLED_OFF = 'never sent';

/** Does what the command says. A refusal is a valid result. */
export async function attackPayouts(
  platform: Platform,
  everybody: PayoutWorld,
  life: PayoutLife,
  command: PayoutAttack,
  round: number,
): Promise<void> {
  const { gang } = life;
  const { shop } = gang;
  const world = { ...everybody, ...gang.staff };
  const last = life.payouts.at(-1);
  switch (command.kind) {
    case 'story':
      for (const each of command.steps) await attackPayouts(platform, world, life, each, round);
      return;
    case 'pay':
      await pay(platform, life);
      return;
    case 'look': {
      const order = last === undefined ? undefined : await readPayout(platform.db, last);
      life.seen = order && { id: order.id, version: payoutVersion(order), supplierId: order.supplierId };
      return;
    }
    case 'claim': {
      if (last === undefined) return;
      const claimed = await claim(platform, gang.suppliers[command.by], last);
      if (!isRefusal(claimed) && command.by === 'own') life.ownClaim = last;
      return;
    }
    case 'moves':
      return move(platform, life, command);
    case 'owns': {
      const utr = life.debits.at(-1);
      if (life.ownClaim !== undefined && utr !== undefined)
        await confirmPaid(platform, gang.suppliers.own, { orderId: life.ownClaim, utr });
      return;
    }
    case 'giveBack':
      if (last !== undefined) await cancelClaim(platform, gang.suppliers[command.by], last);
      return;
    case 'debit': {
      const utr = newReference();
      gang.balance -= life.amount;
      life.debits.push(utr);
      return reportDebit(platform, shop, { amount: life.amount, utr, balance: gang.balance });
    }
    case 'confirm':
      return confirm(platform, world, life, command);
    case 'batch':
    case 'unsentBatch':
      return makeBatch(platform, world, life, command.kind === 'batch');
    case 'export':
      if (life.batch) await makeFile(platform, world, life, life.batch.id);
      return;
    case 'callOff': {
      if (!life.batch) return;
      const called = { batchId: life.batch.id, reason: CALLED_OFF };
      return waits(life, await cancelBatch(platform, world[command.by], called));
    }
    case 'takeBack':
      return last === undefined ? undefined : waits(life, await cancelClaim(platform, world.desk, last));
    case 'agree': {
      const id = life.asked.shift();
      if (id !== undefined) await decide(platform, APPROVAL_HANDLERS, world.other, { id, approve: true });
      return;
    }
    case 'format':
      return changeFormat(platform, world.bosses, gang.templateId, command.isForged);
    case 'file':
      return upload(platform, world, life, command);
    case 'confirmRows': {
      if (!life.batch) return;
      const viewer = command.by === 'own' ? gang.suppliers.own : world[command.by];
      await confirmRows(platform, viewer, { batchId: life.batch.id });
      return;
    }
    case 'hold': {
      const id = command.what === 'merchant' ? shop.merchantId : shop.supplierId;
      const subject = { subjectKind: command.what, subjectId: String(id), reason: 'asked' } as const;
      await setFrozen(platform, world.desk, { ...subject, frozen: command.on });
      life.held[command.what] = command.on;
      return;
    }
    case 'withdraw':
      return withdraw(platform, world, life);
    case 'gateway':
      life.gateway = await pay(platform, life, GATEWAY_PAYOUT);
      await dispatchWaiting(platform, world.channels);
      return;
    case 'gatewayPays':
      if (life.gateway === undefined || life.gatewayPaid.has(life.gateway)) return;
      world.paidByGateway.add(String(life.gateway));
      life.gatewayPaid.set(life.gateway, round);
      return;
    case 'reject': {
      const id = life.gateway ?? last;
      if (id === undefined) return;
      const ended = await reject(platform, world.desk, { orderId: id, reason: 'no word' });
      if (!isRefusal(ended) && ended.status === 6) life.refunded.set(id, round);
    }
  }
}

/** The supplier pays its claim, or the bank pays a file's payout, once. One wording names the transfer; a second wording does not. */
async function move(
  platform: Platform,
  life: PayoutLife,
  { what, isToldTwice }: Extract<PayoutAttack, { kind: 'moves' }>,
): Promise<void> {
  const id = what === 'claim' ? life.ownClaim : life.filed;
  if (id === undefined || [...life.movedFor.values()].includes(id)) return;
  // Nobody pays a claim that is no longer theirs.
  const { supplierId } = life.gang.suppliers.own;
  const owned = sql`select 1 from payout_orders where id = ${id} and supplier_id = ${supplierId}`;
  if (what === 'claim' && (await platform.db.query(owned)).length === 0) return;
  const utr = newReference();
  life.movedFor.set(utr, id);
  life.debits.push(utr);
  const debit = { amount: life.amount, movedAt: platform.clock.now() };
  await reportDebit(platform, life.gang.shop, { ...debit, utr });
  if (isToldTwice) await reportDebit(platform, life.gang.shop, { ...debit, utr: null });
}

async function pay(platform: Platform, life: PayoutLife, productId?: number): Promise<bigint | undefined> {
  const fields = { mchOrderNo: `AP${platform.ids.next()}`, amount: life.amount };
  const [made] = await createPayouts(platform, [
    newPayout(life.gang.shop.merchantId, productId === undefined ? fields : { ...fields, productId }),
  ]);
  // A held merchant creates no payout.
  if (!made || isRefusal(made)) return undefined;
  life.payouts.push(made.id);
  return made.id;
}

async function confirm(
  platform: Platform,
  { desk }: PayoutWorld,
  life: PayoutLife,
  { by, isSeen, reference }: Extract<PayoutAttack, { kind: 'confirm' }>,
): Promise<void> {
  const seen = by === 'desk' && isSeen ? life.seen : undefined;
  const orderId = seen?.id ?? life.payouts.at(-1);
  if (orderId === undefined) return;
  const utr = (reference === 'debit' ? life.debits.at(-1) : undefined) ?? newReference();
  const viewer = by === 'desk' ? desk : life.gang.suppliers[by];
  const done = await confirmPaid(platform, viewer, { orderId, utr, version: seen?.version });
  if (isRefusal(done) || by !== 'desk') return;
  life.stated.add(orderId);
  if (seen) life.seenPaid.set(orderId, seen.supplierId);
}

async function makeBatch(
  platform: Platform,
  world: PayoutWorld,
  life: PayoutLife,
  isSent: boolean,
): Promise<void> {
  await pay(platform, life);
  const { shop, templateId } = life.gang;
  const request = await batchRequest(platform, shop, { orderCount: 1, templateId });
  const made = await createBatch(platform, world.desk, request);
  if (isRefusal(made) || !(await makeFile(platform, world, life, made.batchId))) return;
  life.filed = (await firstRow(platform, made.batchId))?.orderId;
  if (isSent) await markSent(platform, world.desk, made.batchId);
  life.batch = { id: made.batchId };
}

/** Makes the bank's file. It must be refused while its payer is held, and in a format that one person made alone. */
async function makeFile(
  platform: Platform,
  { desk }: PayoutWorld,
  life: PayoutLife,
  batchId: string,
): Promise<boolean> {
  const exported = await exportBatch(platform, desk, batchId);
  if (isRefusal(exported)) return false;
  if (life.held.supplier) life.wrong.push(`batch ${batchId} exported while held`);
  if (exported.content.includes(OWN_ACCOUNT)) life.wrong.push(`batch ${batchId} pays one superAdmin`);
  return true;
}

/** Notes the request that was started instead. */
function waits(life: PayoutLife, done: object): void {
  if (isRefusal(done) && done.code === 'approvalNeeded')
    life.asked.push(BigInt((done.data as { readonly todoId: string }).todoId));
}

async function upload(
  platform: Platform,
  { desk }: PayoutWorld,
  life: PayoutLife,
  { by, says }: Extract<PayoutAttack, { kind: 'file' }>,
): Promise<void> {
  if (!life.batch) return;
  const { id } = life.batch;
  const content = iciciReport([
    {
      reference: `B${id}R001`,
      amount: formatMinor(life.amount, 'INR'),
      status: says,
      ...(says === 'Paid' || says === 'Processing' ? { utr: newReference() } : {}),
    },
  ]);
  const viewer = by === 'own' ? life.gang.suppliers.own : desk;
  const file = { name: 'report.csv', bytes: Buffer.from(content) };
  const row = await firstRow(platform, id);
  const taken = await uploadResult(platform, viewer, id, file);
  if (isRefusal(taken) || row === undefined) return;
  if (by === 'desk' && says === 'Paid') life.stated.add(row.orderId);
  if (by === 'desk' && says === 'Rejected' && row.state === 'completed') life.bankRejected.add(row.orderId);
}

async function firstRow(platform: Platform, batchId: string) {
  const [row] = await platform.db.query<{ orderId: bigint; state: string }>(
    sql`select order_id as "orderId", state from payout_batch_orders where batch_id = ${BigInt(batchId)} and row_number = 1`,
  );
  return row;
}

/** Asks for a withdrawal. The next time, the second person decides about it. */
async function withdraw(platform: Platform, { desk, other }: PayoutWorld, life: PayoutLife): Promise<void> {
  const waiting = life.withdrawal;
  if (waiting !== undefined) {
    life.withdrawal = undefined;
    const decided = await decide(platform, APPROVAL_HANDLERS, other, { id: waiting, approve: true });
    if (!isRefusal(decided) && life.held.merchant) life.wrong.push('a withdrawal while held');
    return;
  }
  const asked = await withdrawFunds(platform, desk, {
    ownerKind: 'merchant',
    ownerId: String(life.gang.shop.merchantId),
    currency: 'INR',
    amount: 1_00,
    reason: 'asked',
    bucket: undefined,
    requestKey: `W${platform.ids.next()}`,
  });
  if (asked.code === 'approvalNeeded')
    life.withdrawal = BigInt((asked.data as { readonly todoId: string }).todoId);
}
