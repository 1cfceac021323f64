import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id } from '../fields.ts';

/**
 * The calls that M-Pesa makes to us. They are not signed: each path has a mark that only we could have made. The paths contain
 * no word that M-Pesa forbids in them.
 */

const mark = z.string().regex(/^[0-9a-f]{32}$/);
const key = z.string().regex(/^\d{1,19}(-\d{1,6})?$/);
const taken = z.object({ ResultCode: z.union([z.int(), z.string()]), ResultDesc: z.string() });
const callback = (path: string, summary: string, input: z.ZodObject) =>
  endpoint({ method: 'POST', path, summary, access: 'webhook', input, output: taken });

const ofAccount = z.object({ account: id, mark });
export const c2bValidation = callback(
  '/v1.0/c2b/:account/:mark/validation',
  'M-Pesa asks whether a payment to a paybill is expected',
  ofAccount,
);
export const c2bConfirmation = callback(
  '/v1.0/c2b/:account/:mark/confirmation',
  'M-Pesa tells of a payment to a short code',
  ofAccount,
);

export const stkResult = callback(
  '/v1.0/stk/:order/:mark/result',
  'M-Pesa tells how a request to a payer’s phone ended',
  z.object({ order: id, mark }),
);

const ofPayout = z.object({ account: id, key, mark });
export const b2cResult = callback(
  '/v1.0/b2c/:account/:key/:mark/result',
  'M-Pesa tells how a payout ended',
  ofPayout,
);
export const b2cTimeout = callback(
  '/v1.0/b2c/:account/:key/:mark/timeout',
  'M-Pesa gave up a request in its queue: nobody knows what became of it',
  ofPayout,
);
export const b2cStatus = callback(
  '/v1.0/b2c/:account/:key/:mark/status',
  'M-Pesa answers where a payout stands',
  ofPayout,
);
