import { z } from 'zod';
import { SECOND } from '../../platform/clock.ts';
import { callWire } from '../gateway/wire.ts';
import { hexOfTronAddress } from '../../platform/tron-address.ts';
import { readReceipt, type TronTransfer } from './tron-receipt.ts';

/**
 * Reads a TRON node in the way TronGrid serves it (developers.tron.network). The account index only points at transactions.
 * What counts is the receipt in the solidified chain, whose event logs state exactly what moved.
 */

export interface TronOptions {
  /** Without a path: https://api.trongrid.io. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** The contract of the token. Another contract with the same name is another token. */
  readonly contract: string;
  readonly patienceMs?: number;
}

export interface TronGrid {
  /** Ids of transactions since a block time that may have paid an address, oldest first, and the newest time of all rows read. */
  listed(
    address: string,
    since: Date,
  ): Promise<{ readonly txids: readonly string[]; readonly until: Date | undefined }>;
  /** The token's transfers to an address in a transaction; undefined while the transaction is not in the solidified chain. */
  transfersTo(address: string, txid: string): Promise<readonly TronTransfer[] | undefined>;
}

const listing = z.object({
  success: z.literal(true),
  data: z.array(z.unknown()),
  meta: z.object({ fingerprint: z.string().optional() }).optional(),
});
/**
 * Only rows that can be a payment are read: look-alike tokens, approvals and zero-value transfers are skipped. A row without a
 * token is read, because the index sometimes leaves it out (docs/rails.md#usdt-trc-20); the receipt names the token.
 */
const row = z.object({
  transaction_id: z.string().regex(/^[0-9a-f]{64}$/),
  token_info: z.object({ address: z.string().nullish() }).nullish(),
  block_timestamp: z.int().min(0).max(8.64e15),
  to: z.string(),
  type: z.literal('Transfer'),
  value: z.string().regex(/^\d{1,19}$/),
});
/** How far a look has read. Rows that cannot be a payment count too; otherwise a flood of them would hold the mark back. */
const timed = z.object({ block_timestamp: row.shape.block_timestamp });
const PAGE = 200;
/**
 * The most pages of one look. The next look starts ten minutes before the end of this one. So a look must hold more rows than
 * an address gets in ten minutes: 30,000 rows are 50 a second.
 */
const MOST_PAGES = 150;

export function createTronGrid({ url, apiKey, contract, patienceMs = 10 * SECOND }: TronOptions): TronGrid {
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'TRON-PRO-API-KEY': apiKey };
  const token = hexOfTronAddress(contract);

  return {
    async listed(address, since) {
      const txids = new Set<string>();
      let until: Date | undefined;
      let fingerprint: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query = new URLSearchParams({
          only_confirmed: 'true',
          only_to: 'true',
          contract_address: contract,
          order_by: 'block_timestamp,asc',
          limit: String(PAGE),
          min_timestamp: String(since.getTime()),
          ...(fingerprint === undefined ? {} : { fingerprint }),
        });
        const { status, body } = await callWire({
          url: `${url}/v1/accounts/${address}/transactions/trc20?${query.toString()}`,
          headers,
          patienceMs,
        });
        const answer = listing.safeParse(body).data;
        if (!answer) throw new Error(`the TRON node answered ${status} to a listing`);
        for (const each of answer.data) {
          const read = timed.safeParse(each).data;
          if (read) until = new Date(Math.max(until?.getTime() ?? 0, read.block_timestamp));
          const found = row.safeParse(each).data;
          if (!found || found.to !== address) continue;
          if ((found.token_info?.address ?? contract) !== contract) continue;
          if (/^0+$/.test(found.value)) continue;
          txids.add(found.transaction_id);
        }
        fingerprint = answer.meta?.fingerprint;
        if (fingerprint === undefined || answer.data.length === 0) break;
      }
      return { txids: [...txids], until };
    },

    async transfersTo(address, txid) {
      const found = await readReceipt({ url, headers, patienceMs, token }, txid);
      const to = hexOfTronAddress(address);
      return found?.transfers.filter((each) => each.to === to);
    },
  };
}
