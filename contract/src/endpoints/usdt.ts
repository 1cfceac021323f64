import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  currency,
  filter,
  id,
  idFilter,
  listOf,
  minor,
  paging,
  textFilter,
  time,
  timeFilter,
} from '../fields.ts';
import { ADMINS } from '../roles.ts';
import { MESSAGE_STATES } from './outside.ts';

export const usdtTransferRow = z.object({
  id,
  resourceId: id,
  /** The receiving address. */
  address: z.string(),
  supplierName: z.string(),
  from: z.string().nullable(),
  currency,
  amount: minor,
  txid: z.string(),
  state: z.enum(MESSAGE_STATES),
  /** Why it completed no order by itself. */
  reason: z.string().nullable(),
  orderCode: z.string().nullable(),
  /** The time of its block. */
  blockTime: time,
  receivedTime: time,
});

export const getUsdtTransfers = endpoint({
  method: 'GET',
  path: '/v1.0/bankStatement/getUsdtList',
  summary: 'USDT transfers to our addresses, newest first',
  access: [...ADMINS, 'customerService', 'technicalMaintenance'],
  input: z.object({
    ...paging,
    supplierId: idFilter,
    resourceId: idFilter,
    address: textFilter,
    txid: textFilter,
    orderCode: textFilter,
    state: filter(z.enum(MESSAGE_STATES)),
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(usdtTransferRow),
});

export const WALLET_STATES = [
  'ready',
  'signerSilent',
  'noKey',
  'chainSilent',
  'empty',
  'noFee',
  'dayUsed',
] as const;

/** A wallet that pays USDT payouts, as signer and chain see it now. USDT in millionths, TRX in sun; null: unknown. */
export const usdtWallet = z.object({
  accountId: id,
  address: z.string(),
  state: z.enum(WALLET_STATES),
  usdt: minor.nullable(),
  trx: minor.nullable(),
  /** The largest payout that needs no release, and the most for a day. */
  oneLimit: minor.nullable(),
  dayLimit: minor.nullable(),
  usedToday: minor.nullable(),
  /** The sum signed today beyond the limits, released by two people. */
  releasedToday: minor.nullable(),
});

export const getUsdtWallets = endpoint({
  method: 'GET',
  path: '/v1.0/resource/getUsdtWallets',
  summary: 'Wallets USDT payouts go out of: what they hold, and what the signer still signs today',
  access: [...ADMINS, 'customerService', 'technicalMaintenance'],
  input: z.object({}),
  output: z.object({ list: z.array(usdtWallet) }),
});
