import { createHash } from 'node:crypto';
import { z } from 'zod';
import { mpesaAccess, type MpesaAccess } from '../accounts/mpesa-access.ts';
import { parseJson } from '../channels/gateway/wire.ts';
import { wireText } from '../channels/mpesa/daraja.ts';
import { MINUTE } from '../platform/clock.ts';
import { waitingFor } from '../collection/matchable.ts';
import type { WebhookAnswer, WebhookCall } from '../http/route.ts';
import { keepUnread, receiveCredits, type RailAccount } from '../evidence/matching/receive-credits.ts';
import type { Platform } from '../platform/platform.ts';
import { isMpesa } from '../channels/mpesa/paths.ts';
import { beginWatches, monitorOf, railAccountOf } from './store.ts';

const payment = z.object({
  TransID: z.string().regex(/^[A-Z0-9]{10}$/),
  /** Local time of Kenya. */
  TransTime: z
    .union([z.string(), z.number()])
    .transform(String)
    .pipe(z.string().regex(/^\d{14}$/)),
  TransAmount: wireText,
  BusinessShortCode: wireText,
  BillRefNumber: z.string().max(100).nullish(),
  OrgAccountBalance: wireText.nullish(),
  MSISDN: wireText.nullish(),
  FirstName: z.string().max(100).nullish(),
  MiddleName: z.string().max(100).nullish(),
  LastName: z.string().max(100).nullish(),
});
type Payment = z.infer<typeof payment>;

/** At most this many characters of an unreadable confirmation are kept. */
const MOST_KEPT = 4_000;

const ACCEPTED = { ResultCode: '0', ResultDesc: 'Accepted' };
const rejected = (code: number) => ({ ResultCode: `C2B000${code}`, ResultDesc: 'Rejected' });
const ok = (body: object): WebhookAnswer => ({ status: 200, body });

/** The reported payment and the access to its account; an answer if the payment is not to be taken. */
async function read(
  platform: Platform,
  call: WebhookCall,
): Promise<
  { readonly told: Payment; readonly access: MpesaAccess; readonly amount: bigint } | WebhookAnswer
> {
  const { params, body } = call;
  const accountId = BigInt(/^\d{1,18}$/.test(params['account'] ?? '') ? params['account']! : 0);
  if (!isMpesa(platform, { account: accountId }, call)) return { status: 404, body: {} };
  const access = await mpesaAccess(platform, accountId);
  const told = payment.safeParse(parseJson(body.toString('utf8'))).data;
  const amount = centsOf(told?.TransAmount);
  if (!access || !told || amount === undefined) return { status: 400, body: {} };
  return told.BusinessShortCode === access.shortCode ? { told, access, amount } : ok(rejected(15));
}

/** Answers whether a payment that is about to be made is expected: an order with its code and amount waits on the account. */
export async function validateC2b(platform: Platform, call: WebhookCall): Promise<WebhookAnswer> {
  const found = await read(platform, call);
  if ('status' in found) return found;
  const { told, access, amount } = found;
  // Payers of a till state no reference.
  if (access.type !== 'paybill') return ok(ACCEPTED);
  const order = await waitingFor(platform.db, access.accountId, codeOf(told));
  if (!order) return ok(rejected(12));
  return ok(order.payable === amount ? ACCEPTED : rejected(13));
}

/** Takes a payment that has been made. M-Pesa may report it many times. What cannot be read is left to an operator. */
export async function confirmC2b(platform: Platform, call: WebhookCall): Promise<WebhookAnswer> {
  const found = await read(platform, call);
  if ('status' in found) return found.status === 404 ? found : keep(platform, call, found);
  const { told, access, amount } = found;
  const name = [told.FirstName, told.MiddleName, told.LastName].filter(Boolean).join(' ');
  await receiveCredits(platform, [
    {
      key: `mpesa/${told.TransID}`,
      kind: 'web',
      account: await railAccount(platform, access),
      sender: 'MPESA',
      text: `${told.TransID} Ksh${told.TransAmount} ${codeOf(told)} ${told.MSISDN ?? ''} ${name}`.trim(),
      amount,
      balance: centsOf(told.OrgAccountBalance ?? undefined) ?? null,
      reference: told.TransID,
      payer: name || null,
      at: kenyanTime(told.TransTime),
      isExact: false,
    },
  ]);
  return ok(ACCEPTED);
}

/** Keeps a confirmation that cannot be read, as it came. Answers `refused` if nobody watches the account. */
async function keep(
  platform: Platform,
  { params, body }: WebhookCall,
  refused: WebhookAnswer,
): Promise<WebhookAnswer> {
  const accountId = BigInt(params['account']!);
  const access = await mpesaAccess(platform, accountId);
  const account = access ? await railAccount(platform, access) : await railAccountOf(platform.db, accountId);
  if (!account) return refused;
  const key = `mpesa/unread/${createHash('sha256').update(body).digest('hex')}`;
  const text = body.toString('utf8').replaceAll('\0', '').slice(0, MOST_KEPT);
  platform.log.error({ accountId: String(accountId) }, 'a confirmation of M-Pesa cannot be read');
  await keepUnread(platform, { key, account, sender: 'MPESA', text });
  return ok(ACCEPTED);
}

/**
 * The account as credits name it. A payment that is reported before our first look at the account begins the watch, because M-Pesa reports
 * it only once.
 */
export async function railAccount(platform: Platform, access: MpesaAccess): Promise<RailAccount> {
  let monitorId = await monitorOf(platform.db, access.accountId);
  if (monitorId === undefined) {
    await beginWatches(platform, 'mpesa', 'M-Pesa');
    monitorId = await monitorOf(platform.db, access.accountId);
    if (monitorId === undefined) throw new Error(`account ${access.accountId} is not watched`);
  }
  return {
    id: access.accountId,
    supplierId: access.supplierId,
    bank: access.bank,
    currency: 'KES',
    accountNumber: access.shortCode,
    monitorId,
  };
}

function codeOf({ BillRefNumber }: Payment): string {
  return (BillRefNumber ?? '').replace(/[\s-]/g, '').toUpperCase();
}

/** An amount in shillings as the wire writes it, in cents. Undefined if it is no amount. */
export function centsOf(shillings: string | undefined): bigint | undefined {
  const match = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(shillings ?? '');
  return match ? BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0')) : undefined;
}

/** Reads YYYYMMDDHHmmss in Kenya's time, three hours ahead of UTC. */
export function kenyanTime(text: string): Date {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/
    .exec(text)!
    .map(Number);
  return new Date(Date.UTC(year!, month! - 1, day, hour, minute, second) - 180 * MINUTE);
}
