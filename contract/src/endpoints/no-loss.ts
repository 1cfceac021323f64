import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, filter, id, idFilter, listOf, minor, paging, time, timeFilter } from '../fields.ts';
import { ADMINS } from '../roles.ts';

/** The no-loss statement: paid by evidence = credited in the ledger = notified = acknowledged + the lines of single orders. */

const readers = [...ADMINS, 'technicalMaintenance'] as const;

/** Why an order has a line. The last three kinds open nothing: 'late' is a remark, the other two close a line. */
export const NO_LOSS_KINDS = [
  'noEvidence',
  'notCredited',
  'creditDiffers',
  'notNotified',
  'notAcknowledged',
  'givenUp',
  'withdrawn',
  'noCallback',
  'late',
  'acknowledged',
  'reversed',
] as const;
const HOLDERS = ['platform', 'merchant', 'desk', 'superAdmin', 'nobody'] as const;

const sums = {
  currency,
  evidenceCount: z.int(),
  evidenceAmount: minor,
  creditedCount: z.int(),
  creditedAmount: minor,
  notifiedCount: z.int(),
  notifiedAmount: minor,
  acknowledgedCount: z.int(),
  acknowledgedAmount: minor,
  residueCount: z.int(),
  residueAmount: minor,
  closedCount: z.int(),
  closedAmount: minor,
};

const filters = { startTime: timeFilter, endTime: timeFilter, currency: filter(currency) };

export const getNoLoss = endpoint({
  method: 'GET',
  path: '/v1.0/orderAnalysis/getNoLoss',
  summary: 'The statements of every hour and currency, newest first; without a start time the last 31 days',
  access: readers,
  input: z.object({ ...paging, ...filters }),
  output: listOf(
    z.object({
      id,
      hourTime: time,
      ...sums,
      writtenTime: time,
      /** The statement is unchanged since it was written, and follows the statement before it. */
      intact: z.boolean(),
    }),
  ),
});

export const getNoLossSums = endpoint({
  method: 'GET',
  path: '/v1.0/orderAnalysis/getNoLossSums',
  summary: 'The same for a whole period, and what is open now',
  access: readers,
  input: z.object(filters),
  output: z.object({
    list: z.array(
      z.object({
        ...sums,
        /** What was credited and reversed since. It is not taken off the credited amount. */
        reversedCount: z.int(),
        reversedAmount: minor,
        openCount: z.int(),
        openAmount: minor,
      }),
    ),
    fromTime: time,
    toTime: time,
  }),
});

export const getNoLossLines = endpoint({
  method: 'GET',
  path: '/v1.0/orderAnalysis/getNoLossLines',
  summary:
    'What is not at its end: each order with its reason and who has it now; of one statement, of a period, or what is open now',
  access: readers,
  input: z.object({
    ...paging,
    ...filters,
    /** The `hourTime` of a statement. */
    hourTime: timeFilter,
    orderCode: idFilter,
    /** Only lines that no later line has closed. */
    open: filter(z.enum(['true'])),
  }),
  output: listOf(
    z.object({
      id,
      hourTime: time,
      paidHourTime: time,
      orderCode: z.string(),
      merchantName: z.string(),
      kind: z.enum(NO_LOSS_KINDS),
      holder: z.enum(HOLDERS),
      currency,
      /** What the line adds to the open sum (+) or takes off it (−). With `open`: the amount that is open. */
      amount: minor,
      open: z.boolean(),
    }),
  ),
});
