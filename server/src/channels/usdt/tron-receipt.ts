import { z } from 'zod';
import { callWire } from '../gateway/wire.ts';

/** A transfer of the token in a solidified, successful transaction. */
export interface TronTransfer {
  readonly txid: string;
  /** Position among the token's transfers of this transaction, from 0. */
  readonly position: number;
  /** Twenty bytes in hex. */
  readonly from: string;
  readonly to: string;
  /** Millionths of a USDT. */
  readonly value: bigint;
  readonly blockTime: Date;
}

/** The result of a transaction in the solidified chain. */
export interface TronReceipt {
  /** SUCCESS, or the reason of the failure: OUT_OF_ENERGY, REVERT. */
  readonly result: string;
  /** Transfers of the token; empty when the transaction failed. */
  readonly transfers: readonly TronTransfer[];
}

/** The address of a node, and the twenty bytes of the token's contract in hex. */
export interface TronAccess {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly patienceMs: number;
  readonly token: string;
}

const receipt = z.object({
  blockNumber: z.int(),
  blockTimeStamp: z.int().min(0).max(8.64e15),
  receipt: z.object({ result: z.string() }),
  log: z
    .array(
      z.object({
        address: z.string(),
        // A contract may log without topics.
        topics: z.array(z.string()).default([]),
        data: z.string().optional(),
      }),
    )
    .optional(),
});

/** A node's answer for a transaction in no solidified block. A node in trouble also answers 200, but with a text. */
const absent = z.strictObject({});

/** keccak256('Transfer(address,address,uint256)') */
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const LARGEST = 2n ** 63n - 1n;

/** Undefined while the transaction is not in the solidified chain. Throws when the node does not answer, or answers something else. */
export async function readReceipt(
  { url, headers, patienceMs, token }: TronAccess,
  txid: string,
): Promise<TronReceipt | undefined> {
  const { status, body } = await callWire({
    url: `${url}/walletsolidity/gettransactioninfobyid`,
    headers,
    post: { value: txid },
    patienceMs,
  });
  if (status !== 200) throw new Error(`the TRON node answered ${status} about a transaction`);
  const found = receipt.safeParse(body).data;
  if (!found && absent.safeParse(body).success) return undefined;
  if (!found) throw new Error('the TRON node answered no receipt of a transaction');
  const { result } = found.receipt;
  if (result !== 'SUCCESS') return { result, transfers: [] };
  const transfers = (found.log ?? [])
    .filter(
      (log) => log.address.toLowerCase() === token && log.topics[0] === TRANSFER && log.topics.length === 3,
    )
    .map((log, position) => ({
      txid,
      position,
      from: log.topics[1]!.slice(-40).toLowerCase(),
      to: log.topics[2]!.slice(-40).toLowerCase(),
      value: /^[0-9a-f]{64}$/i.test(log.data ?? '') ? BigInt(`0x${log.data!}`) : 0n,
      blockTime: new Date(found.blockTimeStamp),
    }))
    .filter((each) => each.value > 0n && each.value <= LARGEST);
  return { result, transfers };
}
