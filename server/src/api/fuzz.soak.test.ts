import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  cancelOrder,
  createOrder,
  heartbeat,
  queryMerchantBalance,
  queryOrder,
  queryUtr,
  report,
} from '@sangam/contract/endpoints/outside.ts';
import { sign, signMonitorCall } from '@sangam/contract/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { simulatedBanks, type SimulatedBank } from '@sangam/simulators/bank/sms-shape.ts';
import { writeSms } from '@sangam/simulators/bank/write-sms.ts';
import { createTronGrid } from '../channels/usdt/tron-grid.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { createOrders } from '../collection/create.ts';
import { readOrders } from '../collection/store.ts';
import { sql } from '../platform/db/database.ts';
import { createRandom } from '../demo/random.ts';
import { bankHeaders } from '../evidence/templates/defaults/headers.ts';
import { normaliseText, parseSender } from '../evidence/templates/normalise.ts';
import { c2bAddresses, b2cAddresses, stkAddress } from '../channels/mpesa/paths.ts';
import { watchUsdt } from '../inbound/usdt-watch.ts';
import { isRefusal } from '../platform/refusal.ts';
import { GATEWAY_KEYS, makeGatewayAccount } from '../testing/gateway.ts';
import { makeMpesaAccount } from '../testing/mpesa.ts';
import { mutateJson, mutatedBody, mutateText } from '../testing/mutate.ts';
import { gatewayWords, MPESA_WORDS } from '../testing/outside-words.ts';
import { newOrder } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { SEED } from '../testing/seed.ts';
import { makeUsdtAccount } from '../testing/usdt.ts';
import { brokenChecks } from '../testing/books.ts';
import { makeAccount, makeMerchant, makeMonitor, makeSupplier, topUpDeposit } from '../testing/world.ts';

/**
 * Sends damaged outside calls over real HTTP. No answer may be an internal error, no answer may be missing, and only a bank's genuine
 * message may book money.
 */
const WORDS = Number(process.env['FUZZ_WORDS'] ?? 700);
/** `npm test` runs the same calls every time. Only the soak uses new seeds. */
const seed = process.env['FUZZ_WORDS'] === undefined ? 1 : SEED;
/** Far longer than any call takes, so that only a call that hangs reaches it. */
const PATIENCE_MS = 60_000;

const random = createRandom(seed);

const headerOf = (sender: string) => {
  const parsed = parseSender(sender);
  return parsed.type === 'header' ? parsed.header : sender;
};
/** All headers of the bank that has this header. */
const headersLike = (sender: string) =>
  Object.values(bankHeaders).find((headers) => headers.includes(headerOf(sender))) ?? [headerOf(sender)];
const UPI = 1010;

interface BankAccount {
  readonly bank: SimulatedBank;
  readonly id: bigint;
  readonly number: string;
}

let world: TestPlatform;
let base: string;
let merchant: { merchantId: bigint; secret: string };
let monitor: { monitorId: bigint; secret: string };
let accounts: readonly BankAccount[];
let gateways: Readonly<Record<'razorpayx' | 'cashfree', bigint>>;
let mpesaPaths: readonly string[];
let address: string;
let chain: Server;
/** The next answer of the TRON node. */
let chainSays: unknown = {};
let sequence = 0;
let names = 0;

beforeAll(async () => {
  world = await createTestPlatform();
  const { platform } = world;
  // Balances in damaged messages would make a chain that rightly holds back the genuine messages.
  await platform.settings.write('EnableSystemCheck', false, null);
  merchant = await makeMerchant(platform);
  const { supplierId } = await makeSupplier(platform, { deposit: 10n ** 14n });
  monitor = await makeMonitor(platform, { supplierId });
  accounts = await Promise.all(
    simulatedBanks.map(async (bank) => {
      const { sender } = writeSms({ ...aCredit(bank, 1_00n, '0000', '1'), variant: 0 });
      const { accountId, accountNumber } = await makeAccount(platform, {
        supplierId,
        monitorId: monitor.monitorId,
        bank: bank.toUpperCase(),
        senderHeader: sender.split('-')[1]!,
        products: [UPI],
      });
      return { bank, id: accountId, number: accountNumber };
    }),
  );
  gateways = {
    razorpayx: await makeGatewayAccount(platform, supplierId),
    cashfree: await makeGatewayAccount(platform, supplierId, 'cashfree'),
  };
  const mpesa = { supplierId, shortCode: '600100', type: 'paybill', direction: 'in' } as const;
  const mpesaAccount = await makeMpesaAccount(platform, mpesa);
  const [c2b, b2c] = [
    await c2bAddresses(platform, mpesaAccount),
    await b2cAddresses(platform, mpesaAccount, '77-1'),
  ];
  mpesaPaths = [...Object.values(c2b), ...Object.values(b2c), await stkAddress(platform, 77n)].map(
    (address) => new URL(address, 'http://x').pathname,
  );
  await topUpDeposit(platform, supplierId, 'USDT', 10n ** 12n);
  ({ address } = await makeUsdtAccount(platform, supplierId));
  base = await (await world.app()).listen({ host: '127.0.0.1', port: 0 });
  chain = createServer((_request, response) => {
    response.statusCode = random.pick([200, 200, 200, 429, 500]);
    response.end(random.chance(0.1) ? '<html>' : JSON.stringify(chainSays));
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => chain.once('listening', listening));
});
afterAll(async () => {
  chain.closeAllConnections();
  await new Promise((closed) => chain.close(closed));
  await world.close();
});

/**
 * References are far apart. Otherwise a damaged reference could be that of the next genuine message, which would then count as used or told
 * again.
 */
const newReference = () => `6${random.digits(11)}`;
const newMessageId = () => `fuzz-${random.digits(12)}`;
const aCredit = (bank: SimulatedBank, amountMinor: bigint, accountTail: string, ref: string) =>
  ({
    bank,
    direction: 'credit',
    amountMinor,
    accountTail,
    ref,
    payerName: 'Ananya Rao',
    payerVpa: 'ananya.rao@okicici',
    at: world.clock.now(),
  }) as const;

/** Sends one call. An internal error or a missing answer fails the test and shows what was sent. */
async function send(
  path: string,
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text();
  expect(
    response.status,
    `${path} answered ${text} to ${body.toString('latin1').slice(0, 2_000)}`,
  ).toBeLessThan(500);
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** A monitor's call, signed as its device would sign it, whatever the body. */
function asMonitor(path: string, body: Buffer): Promise<Record<string, unknown>> {
  const timestamp = String(world.clock.now().getTime());
  const number = String((sequence += 1));
  return send(path, body, {
    'x-monitor-id': String(monitor.monitorId),
    'x-monitor-timestamp': timestamp,
    'x-monitor-sequence': number,
    'x-monitor-signature': signMonitorCall(monitor.secret, timestamp, number, body),
  });
}

interface Told {
  readonly sender: string;
  readonly text: string;
}
const messageOf = ({ sender, text }: Told) => ({
  messageId: newMessageId(),
  kind: 'sms',
  sender,
  text,
  receivedAt: world.clock.now().getTime(),
});
const tell = async (...messages: readonly Told[]) => {
  const answer = await asMonitor(
    report.path,
    Buffer.from(JSON.stringify({ messages: messages.map(messageOf) })),
  );
  expect(answer['code'], JSON.stringify([answer, messages])).toBe(200);
};

/** False messages like the genuine one: no money came, another amount, another account, or not from the bank. */
function lies({ sender, text }: Told, amount: string, tail: string): Told[] {
  const lie = (changed: string, by = sender) =>
    changed === text && by === sender ? [] : [{ sender: by, text: changed }];
  return [
    ...lie(text, '+919840012345'),
    ...lie(text, `${sender.split('-').slice(0, 2).join('-')}-P`),
    ...lie(text, 'AX-NOBANK-S'),
    ...lie(text.replaceAll(amount, `9${amount}`)),
    ...lie(`123456 is the OTP for a transaction. ${text}`),
    ...lie(text.replaceAll(new RegExp(`([xX*.]\\s?)${tail}`, 'g'), '$10000')),
  ];
}

/** Every number of a text in paise, read as rupees. After two decimals a comma ends the number, unless it continues as an amount. */
const sumsIn = (text: string) =>
  (
    normaliseText(text)
      .replaceAll(/(\.\d\d),(?=\d{1,2}(?![\d.]))/g, '$1 ')
      .replaceAll(',', '')
      .match(/\d+(?:\.\d+)?/g) ?? []
  ).map((sum) => Math.round(Number(sum) * 100));

/**
 * Creates an order, sends damaged and lying messages, then the genuine message of its payment. A damaged text may still be the bank's (its
 * end may be cut off); then it has the bank's amount and sender. Answers how many messages it sent before the genuine one.
 */
async function payment(): Promise<number> {
  const { platform } = world;
  await platform.db.query(sql`update monitors set last_seen_at = '2100-01-01'`);
  const [order] = await createOrders(platform, [
    newOrder(merchant.merchantId, { productId: UPI, amount: BigInt(random.int(1_00, 900_000_00)) }),
  ]);
  if (!order || isRefusal(order)) throw new Error(`order refused: ${JSON.stringify(order)}`);
  const account = accounts.find(({ id }) => id === order.accountId)!;
  const tail = account.number.slice(-4);
  const genuine = writeSms({
    ...aCredit(account.bank, order.payable!, tail, newReference()),
    variant: random.int(0, 50),
  });
  const printed = /(?:Rs\.?|INR|₹)\s?:?([\d,]+(?:\.\d+)?)/i.exec(genuine.text)?.[1] ?? '';
  const lying = lies(genuine, printed, tail);
  await tell(...lying);
  expect(await readOrders(platform.db, [order.id]), `a lie was booked: ${genuine.text}`).toMatchObject([
    { status: 1 },
  ]);
  const damaged = Array.from({ length: random.pick([3, 20]) }, () => ({
    sender: random.chance(0.1) ? mutateText(random, genuine.sender).slice(0, 64) : genuine.sender,
    text: mutateText(random, genuine.text).slice(0, 4_000) || '-',
  })).filter(({ text, sender }) => `${text}${sender}`.isWellFormed() && !`${text}${sender}`.includes('\0'));
  if (damaged.length > 0) await tell(...damaged);
  const [match] = await platform.db.query<Told>(sql`
    select m.sender, m.text from message_matches mm join messages m on m.id = mm.message_id where mm.order_id = ${order.id}`);
  if (match) {
    expect(sumsIn(match.text), `booked on ${match.text}`).toContain(Number(order.payable));
    // A damaged header may become another header of the same bank.
    expect(headersLike(genuine.sender), `booked on the word of ${match.sender}`).toContain(
      headerOf(match.sender),
    );
  }
  await tell(genuine);
  const [paid] = await readOrders(platform.db, [order.id]);
  // An earlier telling of this payment with another time may be kept for the desk. Then the genuine message counts as its repetition, or,
  // without a reference, as a possible one.
  const [kept] = await platform.db.query<{ isKept: boolean }>(sql`
    select exists (select from messages d join messages k on k.account_id = d.account_id and k.amount = d.amount and k.id < d.id
      where d.id = (select max(id) from messages) and k.state not in ('matched', 'duplicate')
        and (d.state = 'duplicate' and k.utr = d.utr or d.reason = 'amountJustReported' and d.utr is null)) as "isKept"`);
  if (!kept!.isKept)
    expect(paid, `not booked: ${genuine.sender} ${genuine.text}`).toMatchObject({ received: order.payable });
  return lying.length + damaged.length;
}

const reports = () =>
  asMonitor(
    random.pick([report.path, heartbeat.path]),
    mutatedBody(random, {
      scriptVersion: '1',
      battery: 50,
      messages: [messageOf({ sender: 'VM-HDFCBK-S', text: 'Rs.1 credited to A/c XX9999' })],
    }),
  );

/**
 * Sends damaged bodies with a right signature, as if the keys leaked or the gateway changed its format. None of them names a payout that
 * exists.
 */
async function gatewayEvent(): Promise<void> {
  const now = world.clock.now().getTime();
  const [provider, event] = random.pick(gatewayWords(now));
  const body = mutatedBody(random, event);
  const mac = (...parts: (string | Buffer)[]) =>
    parts.reduce((hmac, part) => hmac.update(part), createHmac('sha256', GATEWAY_KEYS.webhookSecret));
  const stamp = String(now);
  const headers =
    provider === 'razorpayx'
      ? { 'x-razorpay-signature': mac(body).digest('hex'), 'x-razorpay-event-id': `e${random.digits(6)}` }
      : { 'x-webhook-signature': mac(stamp, body).digest('base64'), 'x-webhook-timestamp': stamp };
  await send(`/v1.0/gateway/${gateways[provider]}/webhook`, body, random.chance(0.9) ? headers : {});
}

async function tronAnswer(): Promise<void> {
  const txid = random.digits(64);
  chainSays = mutateJson(random, {
    data: [
      {
        transaction_id: txid,
        token_info: { address: world.platform.config.usdtContract },
        to: address,
        value: '1000000',
        block_timestamp: world.clock.now().getTime(),
      },
    ],
    meta: { fingerprint: random.chance(0.5) ? 'next' : undefined },
    id: txid,
    blockTimeStamp: world.clock.now().getTime(),
    receipt: { result: 'SUCCESS' },
    log: [{ address: 'a'.repeat(40), topics: ['1', '2', '3'], data: 'f'.repeat(64) }],
  });
  world.clock.advance(MINUTE);
  const url = `http://127.0.0.1:${(chain.address() as AddressInfo).port}`;
  await watchUsdt(world.platform, createTronGrid({ url, contract: world.platform.config.usdtContract }));
}

async function merchantCall(): Promise<void> {
  const endpoint = random.pick([createOrder, queryOrder, queryUtr, queryMerchantBalance, cancelOrder]);
  const fields: Record<string, string> = {
    mchId: String(merchant.merchantId),
    productId: String(UPI),
    mchOrderNo: `F${(names += 1)}`,
    amount: String(random.int(1, 1_000_000)),
    notifyUrl: 'http://127.0.0.1:9/notify',
    utr: newReference(),
    timestamp: String(world.clock.now().getTime()),
    nonce: `n${names}`,
  };
  const changed = mutateJson(random, fields);
  // Signed rightly where the body can be signed, so that the test reaches the code behind the signature check.
  const asText: Record<string, string> =
    typeof changed === 'object' && changed !== null && !Array.isArray(changed)
      ? Object.fromEntries(
          Object.entries(changed).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : String(JSON.stringify(value)),
          ]),
        )
      : {};
  const signed = { ...asText, sign: sign(asText, 'hmac-sha256', merchant.secret) };
  const [body, type] = random.pick([
    [JSON.stringify(signed), 'application/json'],
    [new URLSearchParams(signed).toString(), 'application/x-www-form-urlencoded'],
    [mutatedBody(random, signed), 'application/json'],
    [mutateText(random, new URLSearchParams(signed).toString()), 'application/x-www-form-urlencoded'],
    [
      mutateText(random, `--b\r\nContent-Disposition: form-data; name="mchId"\r\n\r\n1\r\n--b--\r\n`),
      'multipart/form-data; boundary=b',
    ],
  ] as const);
  await send(endpoint.path, body, { 'content-type': type });
}

test(`${WORDS} damaged words from outside: every one answered, none booked but the bank's own (seed ${seed})`, async () => {
  const once = (tellOne: () => Promise<unknown>) => async () => {
    await tellOne();
    return 1;
  };
  for (let words = 0; words < WORDS;) {
    world.clock.advance(SECOND);
    words += await random.weighted<() => Promise<number>>([
      [payment, 5],
      [once(reports), 4],
      [once(gatewayEvent), 4],
      [once(() => send(random.pick(mpesaPaths), mutatedBody(random, random.pick(MPESA_WORDS)))), 4],
      [once(tronAnswer), 1],
      [once(merchantCall), 5],
    ])();
  }
  expect(await brokenChecks(world.platform)).toEqual([]);
  // Only the payments' own messages completed orders.
  const [strange] = await world.platform.db.query(sql`
    select o.id from collection_orders o where o.status in (3, 4, 6) and not exists (
      select from message_matches mm where mm.order_id = o.id)`);
  expect(strange).toBeUndefined();
}, 14_400_000);
