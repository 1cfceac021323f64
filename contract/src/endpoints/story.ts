import { z } from 'zod';
import { currency, id, minor, time } from '../fields.ts';

/** What belongs to an order of either direction: timeline, messages, callbacks, ledger entries. */

export const eventRow = z.object({
  id,
  kind: z.string(),
  fromStatus: z.int().nullable(),
  toStatus: z.int().nullable(),
  actor: z.string(),
  reason: z.string().nullable(),
  ip: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
  time,
});

export const messageRow = z.object({
  id,
  sender: z.string(),
  text: z.string(),
  amount: minor.nullable(),
  utr: z.string().nullable(),
  state: z.string(),
  receivedTime: time,
});

const attemptRow = z.object({
  id,
  time,
  url: z.string(),
  httpMethod: z.string(),
  request: z.string(),
  status: z.int().nullable(),
  /** First 2 KiB. */
  answer: z.string().nullable(),
  error: z.string().nullable(),
  durationMs: z.int(),
});

export const callbackRow = z.object({
  id,
  kind: z.enum(['paid', 'manual', 'timeout', 'reversed', 'payout']),
  state: z.enum(['pending', 'succeeded', 'exhausted']),
  attempts: z.int(),
  nextTime: time.nullable(),
  createTime: time,
  attemptList: z.array(attemptRow),
});

export const entryRow = z.object({
  id,
  postingId: id,
  postingKind: z.string(),
  ownerKind: z.string(),
  ownerName: z.string(),
  bucket: z.string(),
  currency,
  amount: minor,
  balanceAfter: minor,
  time,
});
