import { readArchivedFields } from '../archive/read.ts';
import { scriptAccess } from '../accounts/paying-gateway.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { orderOfTexts, readOrder } from '../collection/read.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import { type RailAccount, receiveCreditsWithin } from '../evidence/matching/receive-credits.ts';
import { orderOfReference } from '../order-numbers/claim.ts';
import type { Platform } from '../platform/platform.ts';
import { readReference } from '@sangam/contract/references.ts';
import { callScript } from '../channels/scripts/call-script.ts';
import { hasLiveScript } from '../channels/scripts/live.ts';
import { minorOf, STANDING, type Standing } from '../channels/scripts/shapes.ts';
import { type Told, noteFailed, noteFailedOfArchived, noteOtherSum, notePayment } from './hosted-payments.ts';
import {
  type DuePage,
  endQueries,
  openHostedPage,
  ordersWithoutPage,
  takeDuePages,
} from '../collection/hosted-page.ts';
import { beginWatches, noteWatched, railAccountOf, takeDueWatches } from './store.ts';

const BATCH = 16;
const LOOK_EVERY = 20 * SECOND;

/**
 * Looks after the receiving accounts of gateways: keeps them online while their script is live, asks for pages that nobody has asked for,
 * and asks about orders while they wait and for a day afterwards. Any number of nodes may run it. Returns how much there was to do.
 */
export async function watchHosted(platform: Platform): Promise<number> {
  await beginWatches(platform, 'gateway', 'Gateway');
  for (const { account } of await takeDueWatches(platform, 'gateway', { limit: BATCH, leaseMs: MINUTE })) {
    const now = platform.clock.now();
    const [isLive, access] = await Promise.all([
      hasLiveScript(platform.db, account.id),
      scriptAccess(platform, account.id),
    ]);
    await noteWatched(platform.db, account.id, {
      nextAt: new Date(now.getTime() + LOOK_EVERY),
      seenAt: isLive && access ? now : null,
      readUntil: null,
      rescannedAt: null,
      problem: null,
    });
  }
  const pageless = await ordersWithoutPage(platform, BATCH);
  await Promise.all(
    pageless.map(async (orderId) => {
      const order = await readOrder(platform.db, orderId);
      if (order) await openHostedPage(platform, order);
    }),
  );
  const due = await takeDuePages(platform, BATCH);
  await Promise.all(due.map((page) => query(platform, page)));
  return pageless.length + due.length;
}

async function query(platform: Platform, page: DuePage): Promise<void> {
  const { orderId, accountId, reference, isAwaited } = page;
  if (!isAwaited && (await isPaidHere(platform, page))) return endQueries(platform.db, page);
  const called = await callScript(platform, {
    accountId,
    function: 'query',
    orderId,
    input: { direction: 'in', orderCode: String(orderId), reference },
    output: STANDING,
  });
  if (!('output' in called)) return;
  await creditHosted(platform, accountId, orderId, 'question', called.output);
  const { state } = called.output;
  if (!isAwaited && (state === 'paid' || state === 'failed')) await endQueries(platform.db, page);
}

/** The order was paid on this page's account, or is in the archive. A payment on the page of an account that it has left is still looked for. */
async function isPaidHere(platform: Platform, { orderId, accountId }: DuePage): Promise<boolean> {
  const order = await readOrder(platform.db, orderId);
  return order === undefined || (order.received !== null && order.accountId === accountId);
}

/**
 * Takes a gateway's report that an order was paid, as a credit of its account like that of any other rail. It completes the order once.
 * Another amount, and a payment that comes too late, are left to an operator. Of a payment that failed after it had paid, or whose sum is
 * stated otherwise later, the admins are notified. An order in the archive is treated as any other. False: the account has no such order.
 */
export async function creditHosted(
  platform: Platform,
  accountId: bigint,
  orderId: bigint,
  by: Told['by'],
  { state, amount: text = '', utr, reference }: Standing,
): Promise<boolean> {
  const [kept, [page], account] = await Promise.all([
    readOrder(platform.db, orderId),
    platform.db.query<{ reference: string | null }>(sql`
      select reference from hosted_pages where order_id = ${orderId} and account_id = ${accountId}`),
    railAccountOf(platform.db, accountId),
  ]);
  if (!page || !account) return false;
  const order = kept ?? (await archivedOrder(platform, orderId));
  if (!order) return false;
  if (state === 'failed') {
    const failed = { orderId, accountId, name: reference ?? null };
    await platform.db.tx((tx) =>
      kept ? noteFailed(platform, tx, failed) : noteFailedOfArchived(platform, tx, order, failed),
    );
  }
  if (state !== 'paid') return true;
  const amount = minorOf(text, order.currency);
  if (amount === undefined || amount === 0n) {
    platform.log.error({ orderId: String(orderId), told: text }, 'a gateway names no amount we know');
    return true;
  }
  const payment = reference ?? page.reference ?? utr ?? String(orderId);
  const stated = readReference(utr);
  await platform.db.tx(async (tx) => {
    // A second payment of the same order is stored too. An operator gives it back.
    const told = { orderId, accountId, by, name: payment, amount, utr: stated ?? null };
    const noted = await notePayment(tx, told);
    if (noted === 'otherSum') await noteOtherSum(platform, tx, told, order.currency, kept);
    if (noted !== 'new') return;
    await receiveCreditsWithin(platform, tx, [
      {
        key: `script/${orderId}/${by}/${payment}`,
        kind: 'web',
        account,
        sender: account.bank.toUpperCase(),
        text: `${text} ${order.currency} ${payment} ${order.identifyCode}`,
        amount,
        balance: null,
        reference: stated ?? (await ownName(tx, account, payment)) ?? referenceOf(orderId, payment),
        payer: null,
        at: platform.clock.now(),
        isExact: false,
      },
    ]);
  });
  return true;
}

async function archivedOrder(platform: Platform, orderId: bigint): Promise<CollectionOrder | undefined> {
  const texts = await readArchivedFields(platform, orderId);
  return texts && orderOfTexts(platform.db, texts);
}

/**
 * A payment's name as its reference. Each gateway numbers its payments itself, so a name that completed an order of another account does
 * not count here.
 */
async function ownName(tx: Tx, { id, currency }: RailAccount, name: string): Promise<string | null> {
  const reference = readReference(name);
  if (reference === null) return null;
  const use = await orderOfReference(tx, { reference, currency });
  return use === undefined || (await readOrder(tx, use))?.accountId === id ? reference : null;
}

/** A reference for a payment whose name cannot be one: letters alone, or other characters in it. */
function referenceOf(orderId: bigint, name: string): string {
  return `${orderId}${name.toUpperCase().replace(/[^A-Z0-9]/g, '')}`.slice(0, 80);
}
