import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleClient } from '../console/console-client.ts';
import type { SimulatedDaraja } from '../mpesa/daraja-node.ts';
import { tokenOf } from '../payer/payer-client.ts';
import type { Prng } from '../prng.ts';
import { hostedOrder } from './hosted-run.ts';
import { comesToBePaid, create, ended, many, type End, type RailOptions } from './rail-order.ts';
import type { Services } from '../services.ts';
import { anyTronAddress, type SimulatedTron } from '../tron/node.ts';

/** Results on the rails other than banks: counts of each kind, and problems. */
export interface RailRun {
  readonly usdt: { readonly made: number; readonly paid: number; readonly credited: number };
  readonly mpesa: { readonly made: number; readonly paid: number; readonly credited: number };
  readonly b2c: { readonly made: number; readonly paid: number; readonly completed: number };
  /** Payouts from the signer's wallet. */
  readonly trc20: { readonly made: number; readonly paid: number; readonly completed: number };
  /** Orders through the demo's pay script, paid on its gateway's page. */
  readonly byScript: { readonly made: number; readonly paid: number; readonly credited: number };
  readonly problems: readonly string[];
}

const NOTHING = { made: 0, paid: 0, credited: 0 };
export const NO_RAILS: RailRun = {
  usdt: NOTHING,
  mpesa: NOTHING,
  b2c: { made: 0, paid: 0, completed: 0 },
  trc20: { made: 0, paid: 0, completed: 0 },
  byScript: NOTHING,
  problems: [],
};

const [USDT, MPESA, B2C, TRC20] = [1045, 1060, 2060, 2045];
/** Minor units: the most that one order or payout of a rail needs, with its fee (900 USDT are 900,000,000). */
const LARGEST = 10 ** 9;
const ONLINE_WITHIN_MS = 60_000;

/**
 * USDT, M-Pesa and a gateway's own page, beside the ordinary run: orders paid correctly, wrongly and not at all, and payouts with
 * every outcome.
 */
export async function runRails(options: RailOptions, rails: Services['rails']): Promise<RailRun> {
  if (!rails || options.count === 0) return NO_RAILS;
  const { chain, daraja, hosted } = rails;
  await openRails(options);
  const canSign = await openWallet(options, chain);
  const [usdt, mpesaOrders, b2c, trc20, byScript] = await Promise.all([
    many(options, 0, 'USDT', (random, index) => usdtOrder(options, chain, random, index)),
    many(options, 1, 'M-Pesa', (random, index) => mpesaOrder(options, daraja, random, index)),
    many(options, 2, 'B2C', (random, index) => b2cPayout(options, daraja, random, index)),
    many(canSign ? options : { ...options, count: 0 }, 3, 'TRC20', (random, index) =>
      usdtPayout(options, chain, random, index),
    ),
    many(hosted ? options : { ...options, count: 0 }, 4, 'Pay script', (random, index) =>
      hostedOrder(options, hosted!, random, index),
    ),
  ]);
  const total = (ends: readonly End[]) => ({
    made: ends.length,
    paid: ends.filter(({ paid }) => paid).length,
    credited: ends.filter(({ credited }) => credited).length,
  });
  const payouts = (ends: readonly End[]) => {
    const { made, paid, credited: completed } = total(ends);
    return { made, paid, completed };
  };
  const problems = [...usdt, ...mpesaOrders, ...b2c, ...trc20, ...byScript].flatMap(
    ({ problem }) => problem ?? [],
  );
  return {
    usdt: total(usdt),
    mpesa: total(mpesaOrders),
    b2c: payouts(b2c),
    trc20: payouts(trc20),
    byScript: total(byScript),
    problems,
  };
}

/** Tops up suppliers and merchants, and waits until an account of each rail is online. */
async function openRails({ desk, demo, name, count }: RailOptions): Promise<void> {
  const deposit = count * LARGEST;
  const suppliers = await accountsOf(desk.admin, [USDT, MPESA]);
  for (const [index, { supplierId, currency }] of suppliers.entries())
    await desk.topUp({ ownerKind: 'supplier', ownerId: supplierId }, deposit, `${name}-r${index}`, currency);
  for (const { mchId } of demo.merchants)
    await desk.topUp({ ownerKind: 'merchant', ownerId: mchId }, deposit, `${name}-k${mchId}`, 'KES');
  for (const end = Date.now() + ONLINE_WITHIN_MS; Date.now() < end; await sleep(1_000)) {
    const rows = await accountsOf(desk.admin, [USDT, MPESA]);
    if (
      [USDT, MPESA].every((id) =>
        rows.some(
          ({ products, monitorOnline }) =>
            monitorOnline && products.some(({ productId }) => productId === id),
        ),
      )
    )
      return;
  }
  throw new Error('the accounts of USDT and M-Pesa did not come online');
}

interface AccountRow {
  readonly supplierId: string;
  readonly products: readonly { readonly productId: number }[];
  readonly currency: 'USDT' | 'KES';
  readonly monitorOnline: boolean;
}

async function accountsOf(admin: ConsoleClient, productIds: readonly number[]): Promise<AccountRow[]> {
  const lists = await Promise.all(
    productIds.map((productId) =>
      admin.get('/v1.0/resource/getList', { productId: String(productId), pageSize: '100' }),
    ),
  );
  return lists.flatMap(({ data }) => data['list'] as readonly AccountRow[]);
}

async function usdtOrder(
  options: RailOptions,
  chain: SimulatedTron,
  random: Prng,
  index: number,
): Promise<End> {
  const number = `U${index}`;
  const { client, order } = await create(options, random, number, {
    productId: USDT,
    // In ten-thousandths of a USDT. No account takes less than ten USDT.
    amount: random.int(10, 900) * 10_000,
  });
  const { address, payableAmount } = order.payParams;
  const value = BigInt(payableAmount);
  const way = random.weighted([
    ['exact', 60],
    ['late', 15 * options.mischief],
    ['together', 15 * options.mischief],
    ['short', 10 * options.mischief],
    ['lookAlike', 10 * options.mischief],
    ['failed', 5 * options.mischief],
    ['never', 10 * options.mischief],
  ] as const);
  const to = address!;
  if (random.chance(options.mischief)) chain.send([{ to, value: BigInt(random.int(0, 3)) }]);
  switch (way) {
    case 'exact':
      chain.send([{ to, value }]);
      break;
    case 'late':
      chain.send([{ to, value }], { indexLagMs: 15_000 });
      break;
    case 'together':
      chain.send([
        { to: anyTronAddress(), value: 5n },
        { to, value },
      ]);
      break;
    case 'short':
      chain.send([{ to, value: value - 1_000_050n }]);
      break;
    case 'lookAlike':
      chain.send([{ to, value, contract: anyTronAddress('another token') }]);
      break;
    case 'failed':
      chain.send([{ to, value }], { failed: true });
      break;
    case 'never':
  }
  const isPaid = way === 'exact' || way === 'late' || way === 'together';
  const { credited } = await comesToBePaid(client, `RAIL${options.name}-${number}`, isPaid);
  return ended(`USDT ${order.orderCode} (${way})`, isPaid, credited);
}

async function mpesaOrder(
  options: RailOptions,
  daraja: SimulatedDaraja,
  random: Prng,
  index: number,
): Promise<End> {
  const number = `M${index}`;
  // Only a few different amounts: at a paybill many orders wait for the same amount.
  const shillings = random.pick([200, 500, 1_000]);
  const { client, order } = await create(options, random, number, {
    productId: MPESA,
    amount: shillings * 100,
  });
  const { paybill, till, accountReference = '', stkPush } = order.payParams;
  const way = random.weighted([
    ['bill', 50],
    ['reportedTwice', 15 * options.mischief],
    ['phone', 40],
    ['cancelled', 10 * options.mischief],
    ['wrong', 10 * options.mischief],
    ['never', 10 * options.mischief],
  ] as const);
  const bill = { shortCode: paybill ?? till!, reference: accountReference };
  if (way === 'bill' || way === 'reportedTwice')
    await daraja.payBill({ ...bill, amount: `${shillings}.00`, times: way === 'bill' ? 1 : 2 });
  if (way === 'wrong') await daraja.payBill({ ...bill, amount: `${shillings + 1}.00` });
  if ((way === 'phone' || way === 'cancelled') && stkPush) {
    const { state } = await options.payers.askPhone(
      tokenOf(order.payUrl),
      `07${random.digits(7)}${way === 'phone' ? 0 : 2}`,
    );
    if (state !== 'asked') throw new Error(`the phone was not asked: ${state}`);
  }
  const isPaid = way === 'bill' || way === 'reportedTwice' || way === 'phone';
  const { credited } = await comesToBePaid(client, `RAIL${options.name}-${number}`, isPaid);
  return ended(`M-Pesa ${order.orderCode} (${way})`, isPaid, credited);
}

async function b2cPayout(
  options: RailOptions,
  daraja: SimulatedDaraja,
  random: Prng,
  index: number,
): Promise<End> {
  const number = `P${index}`;
  const last = random.chance(options.mischief) ? random.pick([1, 2, 3, 4, 5]) : 0;
  const { client, order } = await create(options, random, number, {
    productId: B2C,
    amount: random.int(2, 50) * 10_000,
    phone: `2547${random.digits(7)}${last}`,
  });
  // Last digit 1: failed; 4: refused at once.
  const isPaid = last !== 1 && last !== 4;
  const { credited } = await comesToBePaid(client, `RAIL${options.name}-${number}`, isPaid);
  const sends = daraja.sends.filter((key) => key === order.orderCode).length;
  const what = `B2C ${order.orderCode} (${last})`;
  return sends > 1
    ? { paid: isPaid, credited, problem: `${what}: sent ${sends} times` }
    : ended(what, isPaid, credited);
}

/** Funds the wallet and the merchants, and waits until the signer is ready. False: this platform has no signer. */
async function openWallet({ desk, demo, name }: RailOptions, chain: SimulatedTron): Promise<boolean> {
  for (const { mchId } of demo.merchants)
    await desk.topUp({ ownerKind: 'merchant', ownerId: mchId }, 10 ** 11, `${name}-u${mchId}`, 'USDT');
  for (const end = Date.now() + ONLINE_WITHIN_MS; Date.now() < end; await sleep(1_000)) {
    const { data } = await desk.admin.get('/v1.0/resource/getUsdtWallets', {});
    const [wallet] = data['list'] as readonly { readonly address: string; readonly state: string }[];
    if (!wallet || wallet.state === 'noKey') return false;
    if (wallet.state === 'ready') return true;
    if (wallet.state === 'empty') chain.wallets.fund(wallet.address, { usdt: 10n ** 13n, trx: 10n ** 13n });
  }
  return false;
}

async function usdtPayout(
  options: RailOptions,
  chain: SimulatedTron,
  random: Prng,
  index: number,
): Promise<End> {
  const number = `T${index}`;
  const address = anyTronAddress();
  const amount = random.int(10, 90) * 10_000;
  if (random.chance(options.mischief)) chain.wallets.faults.push(random.pick(['answerLost', 'busy']));
  const { client, order } = await create(options, random, number, { productId: TRC20, amount, address });
  const { credited } = await comesToBePaid(client, `RAIL${options.name}-${number}`, true);
  const moved = chain.wallets.taken.filter(({ to, failed }) => to === address && !failed);
  const what = `USDT payout ${order.orderCode}`;
  if (moved.length > 1) return { paid: true, credited, problem: `${what}: moved ${moved.length} times` };
  if (moved[0] && moved[0].value !== BigInt(amount) * 100n)
    return { paid: true, credited, problem: `${what}: moved ${moved[0].value}` };
  return ended(what, moved.length === 1, credited);
}

/** Lines of the statement. */
export function printRails({ usdt, mpesa, b2c, trc20, byScript, problems }: RailRun): string[] {
  if (usdt.made + mpesa.made + b2c.made + trc20.made + byScript.made + problems.length === 0) return [];
  return [
    '',
    `  USDT orders      ${usdt.made}: paid ${usdt.paid}, credited ${usdt.credited}`,
    `  M-Pesa orders    ${mpesa.made}: paid ${mpesa.paid}, credited ${mpesa.credited}`,
    `  M-Pesa payouts   ${b2c.made}: paid ${b2c.paid}, completed ${b2c.completed}`,
    `  USDT payouts     ${trc20.made}: moved once on the chain ${trc20.paid}, completed ${trc20.completed}`,
    `  By pay script    ${byScript.made}: paid ${byScript.paid}, credited ${byScript.credited}`,
    ...problems.map((problem) => `  UNEXPLAINED: ${problem}`),
  ];
}
