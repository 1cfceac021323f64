import { z } from 'zod';
import { MINUTE, SECOND } from '../../platform/clock.ts';
import { callWire, type WireAnswer } from '../gateway/wire.ts';
import { hexOfTronAddress, tronAddressOf } from '../../platform/tron-address.ts';
import { readReceipt, type TronReceipt } from './tron-receipt.ts';
import type { TronOptions } from './tron-grid.ts';

/** What payouts need of a TRON node (developers.tron.network, HTTP API): its head, wallets, broadcasting and receipts. */
export interface TronNode {
  /** The newest block: a transaction refers to it and counts its time from it. */
  head(): Promise<TronBlock>;
  wallet(address: string): Promise<TronWallet>;
  /** What a transfer would use now, and whether the contract would accept it. */
  rehearse(from: string, to: string, amount: bigint): Promise<Rehearsal>;
  /** Sends signed bytes. 'taken' also when the node has them already. Throws when no answer came. */
  broadcast(hex: string): Promise<{ readonly taken: boolean; readonly code: string }>;
  fate(sent: SentTransfer): Promise<Fate>;
  /** What the solidified chain says of a transaction of a wallet; undefined while it has no receipt, which proves nothing. */
  word(sent: Pick<SentTransfer, 'txid' | 'from'>): Promise<Word | undefined>;
}

export interface TronBlock {
  readonly number: bigint;
  /** Hex. */
  readonly id: string;
  /** Milliseconds. */
  readonly time: number;
}

/** A wallet's balances: USDT in millionths, TRX in sun (millionths), energy and the price of energy in sun. */
export interface TronWallet {
  readonly usdt: bigint;
  readonly trx: bigint;
  readonly energy: bigint;
  readonly energyPrice: bigint;
}

export interface Rehearsal {
  readonly energy: bigint;
  /** The contract's own message, where it refused. */
  readonly refusal: string | null;
}

/** A transfer that was signed. */
export interface SentTransfer {
  readonly txid: string;
  readonly from: string;
  /** Milliseconds. */
  readonly expiration: number;
}

/** The receipt in the solidified chain. 'paid': what left the wallet and to where, which may differ from what was signed. */
export type Word =
  | { readonly state: 'paid'; readonly to: string; readonly amount: bigint }
  | { readonly state: 'failed'; readonly reason: string };

/**
 * 'paid' and 'failed': by the receipt. 'dead': no block can take the transfer any more. 'late': its
 * time is over by the newest block, but solid blocks do not prove that yet. 'open': all other cases.
 */
export type Fate =
  | Word
  | { readonly state: 'dead'; readonly solidTime: number }
  | { readonly state: 'open' | 'late' };

/**
 * Nodes behind one address have not all read equally far: some are a quarter of an hour behind. A solid block this much later than a
 * transaction's end is proof on all of them.
 */
const PROOF_AFTER = 30 * MINUTE;

const block = z.object({
  blockID: z.string().regex(/^[0-9a-f]{64}$/i),
  block_header: z.object({
    raw_data: z.object({ number: z.int().min(0), timestamp: z.int().min(0).max(8.64e15) }),
  }),
});
const amount = z.union([z.int(), z.string().regex(/^\d+$/)]).transform(BigInt);
const account = z.object({ balance: amount.default(0n) });
const resources = z.object({ EnergyLimit: amount.default(0n), EnergyUsed: amount.default(0n) });
const parameters = z.object({
  chainParameter: z.array(z.object({ key: z.string(), value: z.number().optional() })),
});
const constant = z.object({
  result: z.object({ result: z.boolean().optional(), message: z.string().optional() }),
  energy_used: amount.default(0n),
  constant_result: z.array(z.string()).default([]),
});
const broadcastAnswer = z.object({ result: z.boolean().optional(), code: z.string().optional() });

export function createTronNode({ url, apiKey, contract, patienceMs = 10 * SECOND }: TronOptions): TronNode {
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'TRON-PRO-API-KEY': apiKey };
  const access = { url, headers, patienceMs, token: hexOfTronAddress(contract) };

  async function ask<Output>(path: string, post: object, shape: z.ZodType<Output>): Promise<Output> {
    const { status, body }: WireAnswer = await callWire({ url: url + path, headers, post, patienceMs });
    const answer = shape.safeParse(body);
    if (status !== 200 || !answer.success) throw new Error(`the TRON node answered ${status} to ${path}`);
    return answer.data;
  }

  const blockAt = async (path: string): Promise<TronBlock> => {
    const { blockID, block_header } = await ask(path, {}, block);
    const { number, timestamp } = block_header.raw_data;
    return { number: BigInt(number), id: blockID, time: timestamp };
  };

  const call = (owner: string, selector: string, parameter: string) =>
    ask(
      '/wallet/triggerconstantcontract',
      {
        owner_address: owner,
        contract_address: contract,
        function_selector: selector,
        parameter,
        visible: true,
      },
      constant,
    );

  const word = async ({ txid, from }: Pick<SentTransfer, 'txid' | 'from'>): Promise<Word | undefined> => {
    const receipt = await readReceipt(access, txid);
    return receipt && wordOf(receipt, txid, from);
  };

  return {
    word,

    head: () => blockAt('/wallet/getnowblock'),

    async wallet(address) {
      const named = { address, visible: true };
      const [held, owned, { chainParameter }, balance] = await Promise.all([
        ask('/wallet/getaccount', named, account),
        ask('/wallet/getaccountresource', named, resources),
        ask('/wallet/getchainparameters', {}, parameters),
        call(address, 'balanceOf(address)', wordOfAddress(address)),
      ]);
      const price = chainParameter.find(({ key }) => key === 'getEnergyFee')?.value;
      if (price === undefined) throw new Error('the TRON node names no price of energy');
      return {
        usdt: BigInt(`0x${balance.constant_result[0] || '0'}`),
        trx: held.balance,
        energy: owned.EnergyLimit > owned.EnergyUsed ? owned.EnergyLimit - owned.EnergyUsed : 0n,
        energyPrice: BigInt(price),
      };
    },

    async rehearse(from, to, value) {
      const parameter = wordOfAddress(to) + value.toString(16).padStart(64, '0');
      const answer = await call(from, 'transfer(address,uint256)', parameter);
      const isGood = answer.result.result === true && answer.result.message === undefined;
      return { energy: answer.energy_used, refusal: isGood ? null : (answer.result.message ?? 'refused') };
    },

    async broadcast(hex) {
      const answer = await ask('/wallet/broadcasthex', { transaction: hex }, broadcastAnswer);
      const code = answer.code ?? (answer.result === true ? 'SUCCESS' : 'OTHER_ERROR');
      return { taken: answer.result === true || code === 'DUP_TRANSACTION_ERROR', code };
    },

    async fate(sent) {
      // In this order: a receipt that is missing after a solid block past the end never comes.
      const solid = await blockAt('/walletsolidity/getnowblock');
      const said = await word(sent);
      if (said) return said;
      if (solid.time >= sent.expiration + PROOF_AFTER) return { state: 'dead', solidTime: solid.time };
      const isLate =
        solid.time >= sent.expiration || (await blockAt('/wallet/getnowblock')).time >= sent.expiration;
      return { state: isLate ? 'late' : 'open' };
    },
  };
}

function wordOf({ result, transfers }: TronReceipt, txid: string, wallet: string): Word {
  if (result !== 'SUCCESS') return { state: 'failed', reason: `the chain says ${result}` };
  const from = hexOfTronAddress(wallet);
  // A token that keeps a fee moves it from the wallet too: the payee's part is the larger.
  const [moved] = transfers
    .filter((each) => each.from === from)
    .toSorted((a, b) => Number(b.value - a.value));
  if (!moved) throw new Error(`transaction ${txid} succeeded, but is no transfer of ${wallet}`);
  return { state: 'paid', to: tronAddressOf(moved.to), amount: moved.value };
}

function wordOfAddress(address: string): string {
  return hexOfTronAddress(address).padStart(64, '0');
}
