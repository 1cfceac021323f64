import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, id, minor, time } from '../fields.ts';
import { DIRECTIONS, FILINGS } from '../statistics.ts';

/** Kinds of waiting work. Each is a list of the console with a filter. */
export const WAITING_KINDS = [
  'approvals',
  'payoutsWaiting',
  'payoutsClaimed',
  'payoutsToConfirm',
  'payoutErrors',
  'payoutsUnproven',
  'callbacksFailed',
  'messagesUnmatched',
  'messagesAmbiguous',
  'messagesUnparsed',
] as const;

export const getHome = endpoint({
  method: 'GET',
  path: '/v1.0/home/getHome',
  summary:
    'What waits for the viewer, how the receiving accounts it may see fare, a merchant’s money that is due, and the suppliers below one; counts of the last 31 days, 1,001 at most',
  access: 'anyUser',
  input: z.object({}),
  output: z.object({
    /** Only the kinds that the role works on; 0 = nothing waits. */
    waiting: z.array(z.object({ kind: z.enum(WAITING_KINDS), count: z.int() })),
    /** Null: the viewer sees no accounts. */
    accounts: z
      .object({
        total: z.int(),
        open: z.int(),
        online: z.int(),
        /** Open accounts that can get no orders all the same, silent longest first, ten at most. */
        stuck: z.array(
          z.object({
            id,
            name: z.string(),
            supplierName: z.string(),
            why: z.enum(['offline', 'frozen']),
            lastSeenTime: time.nullable(),
          }),
        ),
      })
      .nullable(),
    /** For a merchant: credits that are not available yet, by the business day when they will be; null for others. */
    due: z.array(z.object({ currency, day: z.iso.date(), amount: minor })).nullable(),
    /** For a supplier with suppliers below it: their state, by name, 20 at most, and what it earned on them; null for everybody else. */
    team: z
      .object({
        total: z.int(),
        list: z.array(
          z.object({
            supplierId: id,
            name: z.string(),
            deposits: z.array(z.object({ currency, balance: minor })),
            accounts: z.int(),
            open: z.int(),
            online: z.int(),
            /** The payouts it may claim, and those it has claimed. */
            payoutsWaiting: z.int(),
            payoutsClaimed: z.int(),
          }),
        ),
        /** The viewer's own commission on orders of its team, filed by OrderStatisticsTimeFormat. Reversed orders earn nothing. */
        earned: z.object({
          filing: z.enum(FILINGS),
          yesterdayDate: z.iso.date(),
          todayDate: z.iso.date(),
          tomorrowDate: z.iso.date(),
          list: z.array(
            z.object({ currency, direction: z.enum(DIRECTIONS), today: minor, yesterday: minor }),
          ),
        }),
      })
      .nullable(),
  }),
});
