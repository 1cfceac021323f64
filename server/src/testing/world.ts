import type { Currency } from '@sangam/contract/money.ts';
import { DEFAULT_PRODUCTS } from '@sangam/contract/products.ts';
import type { Role } from '@sangam/contract/roles.ts';
import type { SignType } from '@sangam/contract/signature.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { post } from '../ledger/post.ts';
import { createUser } from '../access/create-user.ts';
import { setMonitorSecret } from '../evidence/monitors/monitor.ts';
import { newToken } from '../access/secret-token.ts';
import type { Platform } from '../platform/platform.ts';
import { seedProducts } from '../terms/products/seed-products.ts';
import type { Viewer } from '../platform/viewer.ts';
import { hashOnce } from './hash-once.ts';
import { PASSWORD, setSecret } from './people.ts';

/** Builders of a small world for tests. Each makes rows that work at once (KYC approved, terms set, online). */

const UPI = 1010;
const BANK_TRANSFER = 1012;
const USUAL_PRODUCTS = [UPI, BANK_TRANSFER];
const USUAL_DEPOSIT = 10_000_000_00n;
const TERMS_PPM = { merchant: 30_000, supplier: 10_000, agent: 2_000 } as const;

let made = 0;
/** Numbers what a test file makes, so that names, accounts and tails differ. */
const nextNumber = () => (made += 1);

async function insertId(platform: Platform, statement: Sql): Promise<bigint> {
  const [row] = await platform.db.query<{ id: bigint }>(statement);
  return row!.id;
}

export interface UserOptions {
  readonly role: Role;
  readonly account?: string;
  readonly password?: string;
  readonly payPassword?: string;
  /** In base32. When given, the authenticator is bound and asked for. Otherwise the user signs in by password alone. */
  readonly googleSecret?: string;
}

export async function makeUser(
  platform: Platform,
  options: UserOptions,
): Promise<{ id: bigint; account: string }> {
  const account = options.account ?? `${options.role}Of${nextNumber()}`;
  const id = await platform.db.tx((tx) =>
    createUser(
      platform,
      tx,
      {
        account,
        nickname: account,
        role: options.role,
        password: options.password ?? PASSWORD,
        ...(options.payPassword === undefined ? {} : { payPassword: options.payPassword }),
        ...(options.googleSecret === undefined ? {} : { googleSecret: options.googleSecret }),
        enableGoogleVerify: options.googleSecret !== undefined,
      },
      hashOnce,
    ),
  );
  return { id, account };
}

interface KycClerks {
  readonly submitter: bigint;
  readonly reviewer: bigint;
}
const clerks = new WeakMap<Platform, Promise<KycClerks>>();

/** Two users for one platform, so that nobody reviews what they entered themselves. */
function kycClerks(platform: Platform): Promise<KycClerks> {
  let both = clerks.get(platform);
  if (!both) {
    both = Promise.all([
      makeUser(platform, { role: 'customerService' }),
      makeUser(platform, { role: 'admin' }),
    ]).then(([submitter, reviewer]) => ({ submitter: submitter.id, reviewer: reviewer.id }));
    clerks.set(platform, both);
  }
  return both;
}

export interface KycOptions {
  readonly subject: 'merchant' | 'supplier' | 'account';
  readonly id: bigint;
  readonly verdict?: 'pending' | 'approved' | 'rejected';
  readonly expiresAt?: Date | null;
}

/** Adds a KYC record. The latest record of a subject counts. */
export async function setKyc(platform: Platform, options: KycOptions): Promise<void> {
  const { submitter, reviewer } = await kycClerks(platform);
  const verdict = options.verdict ?? 'approved';
  const now = platform.clock.now();
  await platform.db.query(sql`
    insert into kyc_records (id, subject_kind, subject_id, verdict, document_reference, submitted_by, submitted_at,
      reviewed_by, reviewed_at, expires_at)
    values (${platform.ids.next()}, ${options.subject}, ${options.id}, ${verdict}, 'test/document', ${submitter}, ${now},
      ${verdict === 'pending' ? null : reviewer}, ${verdict === 'pending' ? null : now}, ${options.expiresAt ?? null})`);
}

export interface TermsOptions {
  readonly ownerKind: 'merchant' | 'supplier' | 'agent';
  readonly ownerId: bigint;
  readonly productId: number;
  readonly enabled?: boolean;
  readonly ratePpm?: number;
  readonly fixedFee?: bigint;
  readonly minAmount?: bigint;
  readonly maxAmount?: bigint;
  readonly dailyCountLimit?: number | null;
  readonly dailyAmountLimit?: bigint | null;
  readonly weight?: number;
}

/** Sets an owner's terms for a product. They replace its earlier terms. */
export async function setTerms(platform: Platform, options: TermsOptions): Promise<void> {
  await platform.db.query(sql`
    insert into user_products (owner_kind, owner_id, product_id, enabled, rate_ppm, fixed_fee, min_amount, max_amount,
      daily_count_limit, daily_amount_limit, weight)
    values (${options.ownerKind}, ${options.ownerId}, ${options.productId}, ${options.enabled ?? true},
      ${options.ratePpm ?? TERMS_PPM[options.ownerKind]}, ${options.fixedFee ?? 0n}, ${options.minAmount ?? 1_00n},
      ${options.maxAmount ?? 1_000_000_00n}, ${options.dailyCountLimit ?? null}, ${options.dailyAmountLimit ?? null},
      ${options.weight ?? 100})
    on conflict (owner_kind, owner_id, product_id) do update set enabled = excluded.enabled, rate_ppm = excluded.rate_ppm,
      fixed_fee = excluded.fixed_fee, min_amount = excluded.min_amount, max_amount = excluded.max_amount,
      daily_count_limit = excluded.daily_count_limit, daily_amount_limit = excluded.daily_amount_limit, weight = excluded.weight`);
}

export interface MerchantOptions {
  readonly name?: string;
  readonly signType?: SignType;
  readonly products?: readonly number[];
}

export async function makeMerchant(
  platform: Platform,
  options: MerchantOptions = {},
): Promise<{ merchantId: bigint; userId: bigint; secret: string }> {
  await seedProducts(platform);
  const user = await makeUser(platform, { role: 'merchant' });
  const secret = newToken();
  const merchantId = await insertId(
    platform,
    sql`
      insert into merchants (user_id, name, sign_type, cancel_by_md5, payout_ips, secret, created_at)
      values (${user.id}, ${options.name ?? user.account}, ${options.signType ?? 'hmac-sha256'}, ${options.signType === 'md5'},
        ${options.signType === 'md5' ? ['0.0.0.0/0', '::/0'] : []}, '', ${platform.clock.now()})
      returning id`,
  );
  await setSecret(platform, merchantId, secret);
  await setKyc(platform, { subject: 'merchant', id: merchantId });
  for (const productId of options.products ?? USUAL_PRODUCTS) {
    await setTerms(platform, { ownerKind: 'merchant', ownerId: merchantId, productId });
  }
  return { merchantId, userId: user.id, secret };
}

/** Pays into a supplier's deposit from outside. */
export async function topUpDeposit(
  platform: Platform,
  supplierId: bigint,
  currency: Currency,
  amount: bigint,
): Promise<void> {
  const [outcome] = await platform.db.tx((tx) =>
    post(platform, tx, [
      {
        key: `topUp/${platform.ids.next()}`,
        kind: 'topUp',
        orderId: null,
        currency,
        legs: [
          { ownerKind: 'supplier', ownerId: supplierId, bucket: 'deposit', amount },
          { ownerKind: 'platform', ownerId: 0n, bucket: 'external', amount: -amount },
        ],
      },
    ]),
  );
  if (outcome !== 'posted') throw new Error(`top-up was ${outcome}`);
}

export interface SupplierOptions {
  readonly name?: string;
  /** The supplier who brought this one. It gets agent terms for the products. */
  readonly agentId?: bigint;
  readonly products?: readonly number[];
  /** Minor units of INR. 0n: no deposit. */
  readonly deposit?: bigint;
}

export async function makeSupplier(
  platform: Platform,
  options: SupplierOptions = {},
): Promise<{ supplierId: bigint; userId: bigint }> {
  await seedProducts(platform);
  const user = await makeUser(platform, { role: 'supplier' });
  const supplierId = await insertId(
    platform,
    sql`
      insert into suppliers (user_id, agent_id, name, created_at)
      values (${user.id}, ${options.agentId ?? null}, ${options.name ?? user.account}, ${platform.clock.now()})
      returning id`,
  );
  await setKyc(platform, { subject: 'supplier', id: supplierId });
  for (const productId of options.products ?? USUAL_PRODUCTS) {
    await setTerms(platform, { ownerKind: 'supplier', ownerId: supplierId, productId });
    if (options.agentId !== undefined) {
      await setTerms(platform, { ownerKind: 'agent', ownerId: options.agentId, productId });
    }
  }
  const deposit = options.deposit ?? USUAL_DEPOSIT;
  if (deposit > 0n) await topUpDeposit(platform, supplierId, 'INR', deposit);
  return { supplierId, userId: user.id };
}

/** A monitor that was seen just now. */
export async function makeMonitor(
  platform: Platform,
  options: { readonly supplierId: bigint },
): Promise<{ monitorId: bigint; secret: string }> {
  const secret = newToken();
  const monitorId = await insertId(
    platform,
    sql`
      insert into monitors (supplier_id, name, secret, last_seen_at)
      values (${options.supplierId}, ${`monitor ${nextNumber()}`}, '', ${platform.clock.now()})
      returning id`,
  );
  await platform.db.tx((tx) => setMonitorSecret(platform, tx, monitorId, secret));
  return { monitorId, secret };
}

export interface AccountOptions {
  readonly supplierId: bigint;
  readonly monitorId: bigint | null;
  /** 'out': a payout account, for payout products. */
  readonly direction?: 'in' | 'out';
  /** Four letters, the beginning of its IFSC. */
  readonly bank?: string;
  readonly senderHeader?: string;
  readonly accountNumber?: string;
  readonly vpa?: string | null;
  /** All in one currency, which becomes the account's currency. */
  readonly products?: readonly number[];
  readonly weight?: number;
  readonly maxWaiting?: number;
  readonly dailyCountLimit?: number;
  readonly dailyAmountLimit?: bigint;
  readonly minAmount?: bigint;
  readonly maxAmount?: bigint;
  /** 0: enabled (the default). */
  readonly state?: 0 | 1;
}

/** A receiving account with proven ownership, open for its products. */
export async function makeAccount(
  platform: Platform,
  options: AccountOptions,
): Promise<{ accountId: bigint; accountNumber: string }> {
  await seedProducts(platform);
  const number = nextNumber();
  const bank = options.bank ?? 'HDFC';
  const accountNumber = options.accountNumber ?? `5010${String(number).padStart(10, '0')}`;
  const products = options.products ?? USUAL_PRODUCTS;
  const currency = DEFAULT_PRODUCTS.find((product) => product.id === products[0])?.currency ?? 'INR';
  const vpa = options.vpa === undefined ? `payee${number}@${bank.toLowerCase()}bank` : options.vpa;
  const ifsc = /^[A-Z]{4}$/.test(bank) ? `${bank}0000001` : null;
  const kind = ifsc !== null ? 'bank' : vpa !== null ? 'upi' : 'card';
  const accountId = await insertId(
    platform,
    sql`
      insert into accounts (supplier_id, direction, kind, bank, owner_name, account_number, ifsc, vpa, sender_header,
        currency, purpose, monitor_id, daily_count_limit, daily_amount_limit, max_waiting, created_at)
      values (${options.supplierId}, ${options.direction ?? 'in'}, ${kind}, ${bank}, ${`Owner ${number}`}, ${accountNumber},
        ${ifsc}, ${vpa}, ${options.senderHeader ?? `${bank}BK`}, ${currency}, 'collection', ${options.monitorId},
        ${options.dailyCountLimit ?? null}, ${options.dailyAmountLimit ?? null}, ${options.maxWaiting ?? 500},
        ${platform.clock.now()})
      returning id`,
  );
  await platform.db.query(sql`insert into account_load (account_id) values (${accountId})`);
  for (const productId of products) {
    await platform.db.query(sql`
      insert into resources (account_id, product_id, state, min_amount, max_amount, weight)
      values (${accountId}, ${productId}, ${options.state ?? 0}, ${options.minAmount ?? 1_00n},
        ${options.maxAmount ?? 1_000_000_00n}, ${options.weight ?? 100})`);
  }
  await setKyc(platform, { subject: 'account', id: accountId });
  return { accountId, accountNumber };
}

export interface ViewerOptions {
  readonly role: Role;
  readonly userId?: bigint;
  readonly merchantId?: bigint;
  readonly supplierId?: bigint;
}

/** A viewer as a session would make it. Without `userId` it belongs to no user row. */
export function viewerOf(platform: Platform, options: ViewerOptions): Viewer {
  return {
    userId: options.userId ?? platform.ids.next(),
    account: `${options.role}Viewer`,
    role: options.role,
    sessionId: platform.ids.next(),
    merchantId: options.merchantId ?? null,
    supplierId: options.supplierId ?? null,
    ip: '127.0.0.1',
    locale: 'en-US',
  };
}
