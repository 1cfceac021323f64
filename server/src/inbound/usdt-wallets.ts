import type { usdtWallet } from '@sangam/contract/endpoints/usdt.ts';
import { USDT_PAYOUT } from '@sangam/contract/payouts.ts';
import type { z } from 'zod';
import { openPayers } from '../accounts/payers.ts';
import { createSignerClient } from '../channels/usdt/signer-client.ts';
import { createTronNode, type TronNode, type TronWallet } from '../channels/usdt/tron-node.ts';
import { SECOND } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import type { Answer } from '../channels/usdt/signer-wire.ts';

type Wallet = z.input<typeof usdtWallet>;

/** A person waits for the answer. */
const PATIENCE = 4 * SECOND;
/** Energy of a transfer to a wallet that is new to the token (developers.tron.network). */
const ENERGY = 130_285n;

/** The open payout wallets, as the signer and the blockchain report them now. */
export async function usdtWallets(platform: Platform): Promise<{ readonly list: Wallet[] }> {
  const { config, clock, db } = platform;
  const { tronUrl: url, tronApiKey: apiKey, usdtContract: contract } = config;
  const node = createTronNode({ url, apiKey, contract, patienceMs: PATIENCE });
  // Chain and signer are asked at the same time: if both are silent, the person waits only once.
  const asked =
    config.signer &&
    createSignerClient(config.signer, clock, PATIENCE)
      .ask('/wallets', {})
      .catch(() => undefined);
  const open = await openPayers(platform, db, 'usdt', USDT_PAYOUT);
  const list = await Promise.all(
    open.map(async ({ id, accountNumber }) => look(node, asked, String(id), accountNumber)),
  );
  return { list };
}

async function look(
  node: TronNode,
  asked: Promise<Answer<'/wallets'> | undefined> | undefined,
  accountId: string,
  address: string,
): Promise<Wallet> {
  const [held, signed] = await Promise.all([node.wallet(address).catch(() => undefined), asked]);
  const key = signed?.wallets.find((each) => each.address === address);
  const number = (millionths: string | bigint | undefined) =>
    millionths === undefined ? null : Number(millionths);
  return {
    accountId,
    address,
    state: stateOf(held, signed, key),
    usdt: number(held?.usdt),
    trx: number(held?.trx),
    oneLimit: number(signed?.one),
    dayLimit: number(signed?.day),
    usedToday: number(key?.usedToday),
    releasedToday: number(key?.releasedToday),
  };
}

function stateOf(
  held: TronWallet | undefined,
  signed: Answer<'/wallets'> | undefined,
  key: Answer<'/wallets'>['wallets'][number] | undefined,
): Wallet['state'] {
  if (!signed) return 'signerSilent';
  if (!key) return 'noKey';
  if (!held) return 'chainSilent';
  if (held.usdt === 0n) return 'empty';
  const bought = ENERGY > held.energy ? ENERGY - held.energy : 0n;
  if (bought * held.energyPrice > held.trx) return 'noFee';
  return BigInt(key.usedToday) >= BigInt(signed.day) ? 'dayUsed' : 'ready';
}
