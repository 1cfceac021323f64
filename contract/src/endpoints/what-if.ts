import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, id, minor } from '../fields.ts';
import { ADMINS } from '../roles.ts';

/** What a past day would have been with other settings. Nothing is written. */

const side = z.object({
  orders: z.int(),
  allocated: z.int(),
  refused: z.int(),
  /** The rules that refused the accounts of orders that got none, each counted once an order; most frequent first. */
  why: z.array(z.object({ verdict: z.string(), orders: z.int() })),
  money: z.array(
    z.object({
      currency,
      paid: z.int(),
      paidAmount: minor,
      fee: minor,
      /** The fee less the commissions of suppliers and agents. */
      profit: minor,
    }),
  ),
  /** Paid orders whose outcome is not the real one but drawn by the rate of the new bank in that hour. */
  assumed: z.int(),
  accounts: z.array(
    z.object({ resourceId: id, name: z.string(), orders: z.int(), paid: z.int(), mostWaiting: z.int() }),
  ),
});

export const whatIf = endpoint({
  method: 'POST',
  path: '/v1.0/orderAnalysis/whatIf',
  summary:
    "Replays a past day's orders through the allocation itself, once as it was and once with what is given here; writes nothing",
  access: ADMINS,
  input: z.object({
    /** A business day that is over. */
    day: z.iso.date(),
    orderTimeoutMinutes: z.int().min(1).max(1440).optional(),
    completeCheckMinutes: z.int().min(0).max(1440).optional(),
    limitMode: z.enum(['off', 'warn', 'enforce']).optional(),
    /** For every product: by how many steps amounts may float at most. */
    floatSteps: z.int().min(0).max(9999).optional(),
    /** For every receiving account. */
    maxWaiting: z.int().min(1).max(10_000).optional(),
    /** For every merchant, parts per million. */
    ratePpm: z.int().min(0).max(1_000_000).optional(),
    accounts: z
      .array(
        z.object({
          resourceId: id,
          weight: z.int().min(0).max(1000).optional(),
          dailyCountLimit: z.int().min(0).optional(),
          /** In the account's currency. */
          dailyAmountLimit: minor.min(0).optional(),
          closed: z.boolean().optional(),
        }),
      )
      .max(500)
      .optional(),
  }),
  output: z.object({
    asItWas: side,
    changed: side,
    /** How many orders got the account they really had when the day was replayed unchanged, of all orders. */
    sameAccount: z.int(),
    tookMs: z.int(),
  }),
});
