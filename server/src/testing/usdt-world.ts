import { anyTronAddress, type SimulatedTron, startTronNode } from '@sangam/simulators/tron/node.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { payoutChannels } from '../channels/payout-channels.ts';
import type { PayoutChannels } from '../channels/payout-channel.ts';
import { askGateways } from '../payout/ask-gateways.ts';
import type { PayoutOrder } from '../payout/order.ts';
import { readPayouts } from '../payout/store.ts';
import { DAY, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { brokenChecks } from './books.ts';
import { dispatchWaiting } from './gateway.ts';
import { type LossyProxy, startLossyProxy } from './lossy-proxy.ts';
import { giveFunds, makePayoutShop, payOut, type PayoutShop } from './payouts.ts';
import { createTestPlatform, type TestPlatform } from './platform.ts';
import { makeTestSigner, type TestSigner } from './signer.ts';
import { makeUsdtWallet } from './usdt.ts';
import { viewerOf } from './world.ts';

export const PRODUCT = 2045;
export const USDT = 1_000_000n;

interface State {
  world: TestPlatform;
  chain: SimulatedTron;
  signer: TestSigner;
  /** Between the platform and the signer. */
  proxy: LossyProxy;
  shop: PayoutShop;
  wallet: bigint;
  channels: PayoutChannels;
}

export type UsdtPayout = PayoutOrder & { readonly payeeAddress: string };

/**
 * For tests of USDT payouts: a platform with a wallet, its signer and a simulated chain. Each test runs on another day; the books are
 * checked at the end. Call it once, at the top of a test file.
 */
export function usdtWorld() {
  const state = {} as State;
  beforeAll(async () => {
    const world = (state.world = await createTestPlatform());
    const { platform, clock } = world;
    const contract = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
    state.chain = await startTronNode({ contract, now: () => clock.now().getTime() });
    const tronUrl = state.chain.url;
    state.signer = await makeTestSigner({ tronUrl, clock });
    state.proxy = await startLossyProxy(state.signer.running.url);
    platform.config.tronUrl = tronUrl;
    platform.config.signer = { url: state.proxy.url, secret: state.signer.config.secret };
    state.shop = await makePayoutShop(platform);
    await platform.db.query(
      sql`update user_products set max_amount = ${10n ** 13n} where product_id = ${PRODUCT}`,
    );
    await giveFunds(platform, state.shop.merchantId, 'USDT', 10n ** 13n);
    state.wallet = await makeUsdtWallet(platform, state.shop.supplierId, state.signer.address);
    state.chain.wallets.fund(state.signer.address, { usdt: 10n ** 12n, trx: 10n ** 12n });
  });
  beforeEach(() => {
    state.world.clock.advance(DAY);
    state.channels = payoutChannels(state.world.platform);
  });
  afterEach(() => {
    state.chain.wallets.faults.length = 0;
    state.chain.receipt = undefined;
    state.proxy.loss = 0;
  });
  afterAll(async () => {
    expect(await brokenChecks(state.world.platform)).toEqual([]);
    await state.proxy.close();
    await state.signer.close();
    await state.world.close();
    await state.chain.stop();
  });

  let count = 0;
  const read = async ({ id }: Pick<PayoutOrder, 'id'>) =>
    (await readPayouts(state.world.platform.db, [id]))[0]!;
  return Object.assign(state, {
    async order(amount = 25n * USDT): Promise<UsdtPayout> {
      count += 1;
      const made = await payOut(state.world.platform, state.shop.merchantId, {
        productId: PRODUCT,
        amount,
        payee: { address: anyTronAddress(`payee ${count}`) },
      });
      return { ...made, payeeAddress: made.payeeAddress! };
    },
    read,
    statusOf: async (made: Pick<PayoutOrder, 'id'>) => (await read(made)).status,
    dispatch: () => dispatchWaiting(state.world.platform, state.channels),
    desk: () => viewerOf(state.world.platform, { role: 'admin' }),
    paidTo: (address: string) =>
      state.chain.wallets.taken.filter(({ to, failed }) => to === address && !failed),
    async ask(afterMs = 16 * SECOND): Promise<void> {
      state.world.clock.advance(afterMs);
      await askGateways(state.world.platform, state.channels);
    },
  });
}
