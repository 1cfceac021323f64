import { randomBytes, randomInt } from 'node:crypto';
import { generateSecret } from 'otplib';
import { setMonitorSecret } from '../evidence/monitors/monitor.ts';
import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import type { ApprovalHandlers } from '../approvals/approval.ts';
import { insertRuns } from '../collection/allocation-runs.ts';
import { type Sql, type Tx, join, sql } from '../platform/db/database.ts';
import type { Terms } from '../ledger/fees.ts';
import { createUser } from '../access/create-user.ts';
import { createNodeState } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { seedProducts } from '../terms/products/seed-products.ts';
import {
  ACCOUNT_CAST,
  BANKS,
  CAST_TERMS,
  KYC_REVIEWER,
  KYC_SUBMITTER,
  MERCHANT_CAST,
  MONITOR_NAMES,
  RAIL_TERMS,
  STAFF_CAST,
  SUPPLIER_CAST,
  type CastAccount,
  type CastMerchant,
  type CastUser,
} from './cast.ts';
import type { DemoFile, DemoUser } from './demo-file.ts';
import { DEMO_MCH_ID, makeDemoScript } from './demo-script.ts';
import { makeOtherAccounts } from './other-accounts.ts';

/** All receiving accounts weigh the same, so allocation gives an order to the one that was unused for longest. */
const WEIGHT = 100;

export interface WorldMerchant extends CastMerchant {
  readonly id: bigint;
  readonly secret: string;
}

export interface WorldSupplier {
  readonly id: bigint;
  readonly name: string;
  readonly agentId: bigint | null;
}

export interface WorldAccount extends CastAccount {
  readonly id: bigint;
  readonly supplierId: bigint;
  readonly supplierName: string;
  /** The agent who brought the account's supplier. */
  readonly agentId: bigint | null;
  readonly monitorId: bigint;
  readonly tail: string;
}

/** Where the simulators of rails and Telegram must listen. */
export function railUrls({ tronUrl, usdtContract, darajaUrl, telegramUrl }: Platform['config']) {
  return { tronUrl, usdtContract, darajaUrl, telegramUrl };
}

type RunVerdict = 'eligible' | 'monitorOffline';

/** The demo world's parties with their ids, for its history. */
export interface World {
  readonly userIds: ReadonlyMap<string, bigint>;
  readonly merchants: readonly WorldMerchant[];
  readonly suppliers: readonly WorldSupplier[];
  readonly accounts: readonly WorldAccount[];
  /** Two allocation runs for each product, which its past orders share: with open accounts, and with all monitors offline. */
  readonly runIds: Readonly<Record<RunVerdict, ReadonlyMap<number, bigint>>>;
}

export function termsOf(productId: number): { merchant: Terms; supplier: Terms; agent: Terms } {
  const terms = CAST_TERMS.find((each) => each.productId === productId)!;
  return {
    merchant: { ratePpm: terms.merchantPpm, fixedFee: terms.merchantFixedFee },
    supplier: { ratePpm: terms.supplierPpm, fixedFee: 0n },
    agent: { ratePpm: terms.agentPpm, fixedFee: 0n },
  };
}

/** Creates every party as of `since`: users, merchants, suppliers, terms, monitors, accounts, all reviewed. */
export async function makeWorld(
  platform: Platform,
  tx: Tx,
  since: Date,
  cast: readonly CastAccount[],
  approvals: ApprovalHandlers,
): Promise<{ world: World; file: Omit<DemoFile, 'url'> }> {
  const past: Platform = {
    ...platform,
    clock: { now: () => since },
    ids: { next: (at) => platform.ids.next(at ?? since) },
    state: createNodeState(),
  };
  await seedProducts({ db: tx });
  const { users, userIds } = await makeUsers(past, tx);
  const merchants = await makeMerchants(past, tx, userIds);
  const suppliers = await makeSuppliers(past, tx, userIds);
  await makeTerms(tx, merchants, suppliers);
  const { monitors, accounts } = await makeAccounts(past, tx, suppliers, cast, platform.clock.now());
  const approve = (kind: string, rows: readonly { readonly id: bigint }[]) =>
    approveKyc(
      past,
      tx,
      kind,
      rows.map((row) => row.id),
      userIds,
    );
  await approve('merchant', merchants);
  await approve('supplier', suppliers);
  const keys = {
    keyId: `rzp_test_${randomBytes(7).toString('hex')}`,
    keySecret: randomBytes(12).toString('hex'),
    webhookSecret: randomBytes(12).toString('hex'),
  };
  const mpesa = { keyId: randomBytes(12).toString('hex'), keySecret: randomBytes(12).toString('hex') };
  const script = await makeDemoScript(platform, tx, userIds, approvals);
  const scriptKeys = { key: randomBytes(12).toString('hex'), noticeKey: randomBytes(12).toString('hex') };
  const supplierOf = (account: string) =>
    suppliers[SUPPLIER_CAST.findIndex((supplier) => supplier.account === account)]!.id;
  const credentials = {
    gateway: keys,
    mpesa: {
      ...mpesa,
      passkey: randomBytes(16).toString('hex'),
      initiatorName: 'sangam',
      securityCredential: randomBytes(32).toString('base64'),
    },
    script: { keyId: 'kosh', keySecret: scriptKeys.key, webhookSecret: scriptKeys.noticeKey },
  };
  const others = await makeOtherAccounts(past, tx, supplierOf, since, credentials, script);
  await approve('account', [...accounts, ...others]);
  const runIds = {
    eligible: makeRuns(past, tx, accounts, 'eligible'),
    monitorOffline: makeRuns(past, tx, accounts, 'monitorOffline'),
  };

  return {
    world: { userIds, merchants, suppliers, accounts, runIds },
    file: {
      users,
      merchants: merchants.map(({ id, account, signType, secret }) => ({
        mchId: String(id),
        account,
        signType,
        secret,
      })),
      gateway: { url: platform.config.gatewayUrl, ...keys },
      rails: { ...railUrls(platform.config), mpesa },
      scriptGateway: { url: script.url, mchId: DEMO_MCH_ID, ...scriptKeys },
      monitors: monitors.map(({ id, secret }) => ({
        monitorId: String(id),
        secret,
        accounts: accounts
          .filter((account) => account.monitorId === id)
          .flatMap((account) =>
            account.products.map((productId) => ({
              resourceId: String(account.id),
              productId,
              bank: account.bank,
              accountTail: account.tail,
              vpa: account.vpa,
              senderHeader: BANKS[account.bank].header,
            })),
          ),
      })),
    },
  };
}

async function insertId(tx: Tx, statement: Sql): Promise<bigint> {
  const [row] = await tx.query<{ id: bigint }>(statement);
  return row!.id;
}

// Without 0/O and 1/l/I, because people type these.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz';

function newPassword(): string {
  const letters = (count: number) =>
    Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${letters(5)}-${letters(5)}-${randomInt(200, 999)}`;
}

async function makeUsers(
  past: Platform,
  tx: Tx,
): Promise<{ users: DemoUser[]; userIds: Map<string, bigint> }> {
  const users: DemoUser[] = [];
  const userIds = new Map<string, bigint>();
  for (const person of [...STAFF_CAST, ...SUPPLIER_CAST, ...MERCHANT_CAST] satisfies CastUser[]) {
    const { account, nickname, role } = person;
    const user = {
      role,
      account,
      password: newPassword(),
      googleSecret: generateSecret(),
      payPassword: newPassword(),
    };
    userIds.set(account, await createUser(past, tx, { ...user, nickname }));
    users.push(user);
  }
  return { users, userIds };
}

async function makeMerchants(
  past: Platform,
  tx: Tx,
  userIds: ReadonlyMap<string, bigint>,
): Promise<WorldMerchant[]> {
  const merchants: WorldMerchant[] = [];
  for (const merchant of MERCHANT_CAST) {
    const secret = randomBytes(16).toString('hex').toUpperCase();
    const id = await insertId(
      tx,
      sql`insert into merchants (user_id, name, sign_type, cancel_by_md5, payout_ips, secret, callback_transport,
          settlement_days, created_at)
        values (${userIds.get(merchant.account)}, ${merchant.nickname}, ${merchant.signType},
          ${merchant.signType === 'md5'}, ${merchant.signType === 'md5' ? ['127.0.0.0/8', '::1'] : []}, '',
          ${merchant.transport}, ${merchant.settlementDays ?? 0}, ${past.clock.now()})
        returning id`,
    );
    await tx.query(sql`
      update merchants set secret = ${past.vault.seal(secret, ['merchants.secret', id])} where id = ${id}`);
    merchants.push({ ...merchant, id, secret });
  }
  return merchants;
}

async function makeSuppliers(
  past: Platform,
  tx: Tx,
  userIds: ReadonlyMap<string, bigint>,
): Promise<WorldSupplier[]> {
  const made = new Map<string, WorldSupplier>();
  for (const { account, nickname, agent } of SUPPLIER_CAST) {
    const agentId = agent === undefined ? null : made.get(agent)!.id;
    const id = await insertId(
      tx,
      sql`insert into suppliers (user_id, agent_id, name, created_at)
        values (${userIds.get(account)}, ${agentId}, ${nickname}, ${past.clock.now()}) returning id`,
    );
    made.set(account, { id, name: nickname, agentId });
  }
  return [...made.values()];
}

async function makeTerms(
  tx: Tx,
  merchants: readonly WorldMerchant[],
  suppliers: readonly WorldSupplier[],
): Promise<void> {
  const agents = new Set(suppliers.flatMap((supplier) => supplier.agentId ?? []));
  const rows = [...CAST_TERMS, ...RAIL_TERMS].flatMap((terms) => {
    const row = (kind: string, id: bigint, ppm: number, fixedFee: bigint) =>
      sql`(${kind}, ${id}, ${terms.productId}, ${ppm}, ${fixedFee}, ${terms.minAmount}, ${terms.maxAmount})`;
    return [
      ...merchants.map(({ id }) => row('merchant', id, terms.merchantPpm, terms.merchantFixedFee)),
      ...suppliers.map(({ id }) => row('supplier', id, terms.supplierPpm, 0n)),
      ...[...agents].map((id) => row('agent', id, terms.agentPpm, 0n)),
    ];
  });
  await tx.query(sql`
    insert into user_products (owner_kind, owner_id, product_id, rate_ppm, fixed_fee, min_amount, max_amount)
    values ${join(rows)}`);
}

async function makeAccounts(
  past: Platform,
  tx: Tx,
  suppliers: readonly WorldSupplier[],
  casts: readonly CastAccount[],
  now: Date,
): Promise<{ monitors: { id: bigint; secret: string }[]; accounts: WorldAccount[] }> {
  const supplierOf = (cast: CastAccount) =>
    suppliers[SUPPLIER_CAST.findIndex(({ account }) => account === cast.supplier)]!;
  const monitors: { id: bigint; secret: string }[] = [];
  for (const [index, name] of MONITOR_NAMES.entries()) {
    const secret = randomBytes(16).toString('hex').toUpperCase();
    const { id: supplierId } = supplierOf(ACCOUNT_CAST.find(({ monitor }) => monitor === index)!);
    const id = await insertId(
      tx,
      sql`insert into monitors (supplier_id, name, secret, script_version, last_seen_at)
        values (${supplierId}, ${name}, '', '1.4.0', ${now}) returning id`,
    );
    await setMonitorSecret(past, tx, id, secret);
    monitors.push({ id, secret });
  }
  const accounts: WorldAccount[] = [];
  for (const cast of casts) {
    const { code, header } = BANKS[cast.bank];
    const supplier = supplierOf(cast);
    const monitorId = monitors[cast.monitor]!.id;
    const id = await insertId(
      tx,
      sql`insert into accounts (supplier_id, bank, owner_name, account_number, ifsc, vpa, sender_header, currency, purpose,
          monitor_id, created_at)
        values (${supplier.id}, ${cast.bank}, ${cast.ownerName}, ${cast.accountNumber}, ${`${code}0${cast.branch}`}, ${cast.vpa},
          ${header}, 'INR', 'Collection of online sales for authorised merchants', ${monitorId}, ${past.clock.now()})
        returning id`,
    );
    await tx.query(sql`insert into account_load (account_id) values (${id})`);
    await tx.query(sql`
      insert into resources (account_id, product_id, state, min_amount, max_amount, weight)
      values ${join(cast.products.map((productId) => sql`(${id}, ${productId}, 0, ${100_00n}, ${200_000_00n}, ${WEIGHT})`))}`);
    accounts.push({
      ...cast,
      id,
      supplierId: supplier.id,
      supplierName: supplier.name,
      agentId: supplier.agentId,
      monitorId,
      tail: cast.accountNumber.slice(-4),
    });
  }
  return { monitors, accounts };
}

function makeRuns(
  past: Platform,
  tx: Tx,
  accounts: readonly WorldAccount[],
  verdict: RunVerdict,
): ReadonlyMap<number, bigint> {
  const productIds = [...new Set(accounts.flatMap(({ products }) => products))];
  const runs = productIds.map((productId) => ({
    id: past.ids.next(past.clock.now()),
    productId,
    candidates: JSON.stringify(
      accounts
        .filter(({ products }) => products.includes(productId))
        .map((account) => ({
          accountId: String(account.id),
          accountName: `${account.bank} ${account.tail}`,
          supplierName: account.supplierName,
          weight: WEIGHT,
          verdict,
        })),
    ),
  }));
  insertRuns(tx, runs, past.clock.now());
  return new Map(runs.map(({ id, productId }) => [productId, id]));
}

async function approveKyc(
  past: Platform,
  tx: Tx,
  kind: string,
  subjectIds: readonly bigint[],
  userIds: ReadonlyMap<string, bigint>,
): Promise<void> {
  const submittedAt = new Date(past.clock.now().getTime() + 5 * MINUTE);
  const reviewedAt = new Date(submittedAt.getTime() + HOUR);
  const expiresAt = new Date(submittedAt.getTime() + 365 * DAY);
  await tx.query(sql`
    insert into kyc_records (id, subject_kind, subject_id, verdict, document_reference, submitted_by, submitted_at, reviewed_by,
      reviewed_at, expires_at)
    values ${join(
      subjectIds.map(
        (
          id,
        ) => sql`(${past.ids.next()}, ${kind}, ${id}, 'approved', ${`demo/${kind}/${id}.pdf`}, ${userIds.get(KYC_SUBMITTER)},
          ${submittedAt}, ${userIds.get(KYC_REVIEWER)}, ${reviewedAt}, ${expiresAt})`,
      ),
    )}`);
}
