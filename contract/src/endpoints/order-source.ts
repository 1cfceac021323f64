import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, filter, idFilter, listOf, minor, paging, time, timeFilter } from '../fields.ts';
import { SOURCE_GROUPS, SOURCE_STEPS } from '../order-source.ts';
import { ADMINS } from '../roles.ts';

/** Where orders come from, and how many steps they reach. */

const readers = [...ADMINS, 'customerService', 'technicalMaintenance'] as const;

/** How many orders reached each step, and their amounts. */
const funnel = {
  ...(Object.fromEntries(SOURCE_STEPS.map((step) => [step, z.int()])) as Record<
    (typeof SOURCE_STEPS)[number],
    z.ZodInt
  >),
  currency,
  amount: minor,
  /** The amount that arrived. */
  paidAmount: minor,
};

const filters = {
  /** Whole business days; when left out, the last 31. */
  startTime: timeFilter,
  endTime: timeFilter,
  merchantId: idFilter,
};

const period = {
  /** The days that are counted, as whole days. */
  fromTime: time,
  toTime: time,
};

export const getOrderSource = endpoint({
  method: 'GET',
  path: '/v1.0/orderAnalysis/getOrderSource',
  summary:
    'Orders by their source, most first, one row a value and currency, with how many came how far; counted within two seconds. Test orders count nowhere',
  access: readers,
  input: z.object({ ...paging, ...filters, by: filter(z.enum(SOURCE_GROUPS)) }),
  output: listOf(
    z.object({
      /** For `band` the lower bound in minor units, for `merchant` the id; '' where unknown. */
      value: z.string(),
      name: z.string(),
      ...funnel,
    }),
  ).extend(period),
});

export const getSourceFunnel = endpoint({
  method: 'GET',
  path: '/v1.0/orderAnalysis/getSourceFunnel',
  summary: 'How far the orders of a period came, per currency',
  access: readers,
  input: z.object({ ...filters, by: filter(z.enum(SOURCE_GROUPS)) }),
  output: z.object({ list: z.array(z.object(funnel)), ...period }),
});
