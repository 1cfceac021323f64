import { createHash } from 'node:crypto';
import { tronAddressOf } from '@sangam/server/platform/tron-address.ts';
import { readTransaction, type ReadTransfer } from './transaction.ts';

/**
 * What the chain does with the next broadcast: its answer is lost, no block includes it, it runs out of energy, the node is busy, the
 * token keeps a fee of what is sent, or its log names another sender.
 */
export type Fault = 'answerLost' | 'dropped' | 'outOfEnergy' | 'busy' | 'feeKept' | 'otherSender';

export interface TakenTransfer {
  readonly txid: string;
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly failed: boolean;
}

export interface Wallets {
  /** Millionths of USDT, and sun. */
  fund(address: string, means: { readonly usdt?: bigint; readonly trx?: bigint }): void;
  balanceOf(address: string): bigint;
  /** Every distinct transfer that a block included, in order. */
  readonly taken: readonly TakenTransfer[];
  /** Broadcasts received, repeated ones included. */
  readonly broadcasts: readonly string[];
  /** Faults for the next broadcasts, one each. */
  readonly faults: Fault[];
  /** Answers a path of the node's HTTP interface; undefined for a path not handled here. 'lost': no answer is sent. */
  answer(path: string, body: Readonly<Record<string, unknown>>): object | 'lost' | undefined;
}

interface WalletOptions {
  readonly contract: string;
  readonly now: () => number;
  readonly solidMs: number;
  /** Puts a transfer into the next block. */
  readonly include: (transfer: TakenTransfer) => void;
}

const BLOCK_MS = 3_000;
const ENERGY_PRICE = 100n;
/** Energy of a transfer to a wallet that holds USDT, and to one that does not (developers.tron.network, energy of USDT). */
const [ENERGY_KNOWN, ENERGY_NEW] = [64_285n, 130_285n];

/** The paying side of the simulated chain: balances, the cost of a transfer, and the answers to broadcasts. */
export function createWallets({ contract, now, solidMs, include }: WalletOptions): Wallets {
  const usdt = new Map<string, bigint>();
  const trx = new Map<string, bigint>();
  const known = new Set<string>();
  const taken: TakenTransfer[] = [];
  const broadcasts: string[] = [];
  const faults: Fault[] = [];
  const held = (purse: Map<string, bigint>, address: string) => purse.get(address) ?? 0n;
  const energyTo = (address: string) => (held(usdt, address) > 0n ? ENERGY_KNOWN : ENERGY_NEW);

  const numberAt = (time: number) => Math.floor(time / BLOCK_MS);
  const idOf = (number: number) =>
    number.toString(16).padStart(16, '0') +
    createHash('sha256').update(String(number)).digest('hex').slice(0, 48);
  const block = (time: number) => {
    const number = numberAt(time);
    return {
      blockID: idOf(number),
      block_header: { raw_data: { number, timestamp: number * BLOCK_MS } },
    };
  };

  const refuse = (code: string, txid: string) => ({
    result: false,
    code,
    txid,
    message: Buffer.from(code).toString('hex'),
  });

  /** Whether the block that a transaction refers to is one of the last 65,536. */
  function isRecent({ refBlockBytes, refBlockHash }: ReadTransfer): boolean {
    const head = numberAt(now());
    const number = head - ((head - Number.parseInt(refBlockBytes, 16)) & 0xffff);
    return idOf(number).slice(16, 32) === refBlockHash;
  }

  function broadcast(hex: string): object | 'lost' {
    const read = readTransaction(hex);
    broadcasts.push(read?.txid ?? 'unreadable');
    if (!read || read.signer !== read.owner) return refuse('SIGERROR', read?.txid ?? '');
    const { txid, owner, to, value } = read;
    if (known.has(txid)) return refuse('DUP_TRANSACTION_ERROR', txid);
    if (!isRecent(read)) return refuse('TAPOS_ERROR', txid);
    if (read.expiration <= block(now()).block_header.raw_data.timestamp)
      return refuse('TRANSACTION_EXPIRATION_ERROR', txid);
    const fault = faults.shift();
    if (fault === 'busy') return refuse('SERVER_BUSY', txid);
    known.add(txid);
    if (fault !== 'dropped' && to !== undefined && read.contract === contract) {
      const fee = energyTo(to) * ENERGY_PRICE;
      const failed =
        fault === 'outOfEnergy' || fee > read.feeLimit || fee > held(trx, owner) || value > held(usdt, owner);
      const transfer = { txid, from: owner, to, value, failed };
      trx.set(owner, held(trx, owner) - (fee < held(trx, owner) ? fee : held(trx, owner)));
      if (!failed) {
        usdt.set(owner, held(usdt, owner) - value);
        usdt.set(to, held(usdt, to) + value);
      }
      taken.push(transfer);
      include({
        ...transfer,
        ...(fault === 'feeKept' && { value: value - 1n }),
        ...(fault === 'otherSender' && { from: to }),
      });
    }
    return fault === 'answerLost' ? 'lost' : { result: true, code: 'SUCCESS', txid, message: '' };
  }

  function constant(body: Readonly<Record<string, unknown>>): object {
    const parameter = String(body['parameter']);
    const about = tronAddressOf(parameter.slice(24, 64));
    if (body['function_selector'] === 'balanceOf(address)')
      return {
        result: { result: true },
        energy_used: 935,
        constant_result: [held(usdt, about).toString(16).padStart(64, '0')],
      };
    const isEnough = BigInt(`0x${parameter.slice(64)}`) <= held(usdt, String(body['owner_address']));
    return {
      result: isEnough ? { result: true } : { result: true, message: 'REVERT opcode executed' },
      energy_used: Number(energyTo(about)),
      constant_result: [''],
    };
  }

  return {
    fund(address, means) {
      usdt.set(address, held(usdt, address) + (means.usdt ?? 0n));
      trx.set(address, held(trx, address) + (means.trx ?? 0n));
    },
    balanceOf: (address) => held(usdt, address),
    taken,
    broadcasts,
    faults,
    answer(path, body) {
      const address = String(body['address']);
      switch (path) {
        case '/wallet/getnowblock':
          return block(now());
        case '/walletsolidity/getnowblock':
          return block(now() - solidMs);
        case '/wallet/getaccount':
          return trx.has(address) ? { address, balance: Number(held(trx, address)) } : {};
        case '/wallet/getaccountresource':
          return { freeNetLimit: 600 };
        case '/wallet/getchainparameters':
          return {
            chainParameter: [{ key: 'getEnergyFee', value: Number(ENERGY_PRICE) }, { key: 'getAllowTvm' }],
          };
        case '/wallet/triggerconstantcontract':
          return constant(body);
        case '/wallet/broadcasthex':
          return broadcast(String(body['transaction']));
        default:
          return undefined;
      }
    },
  };
}
