import { z } from 'zod';
import { APPROVAL_RULES } from '../approvals.ts';
import { endpoint } from '../endpoint.ts';
import { currency, filter, id, listOf, minor, paging, text, time } from '../fields.ts';
import { PAYOUT_STATUS } from '../payouts.ts';
import { payoutDone } from './payout.ts';
import { valuesOf } from './story.ts';

/** Withdrawals of a merchant to its own account: where the money may go, and how far it has come. */

const MERCHANT = APPROVAL_RULES.beneficiary.start;

/** How a beneficiary is paid. */
const kind = z.enum(['bank', 'upi']);

const paidTo = {
  kind,
  /** The name that the bank has. */
  userName: z.string(),
  bankName: z.string().nullable(),
  ifscCode: z.string().nullable(),
  /** Masked, like the payee of every payout for a merchant. */
  cardNumber: z.string().nullable(),
  vpa: z.string().nullable(),
};

export const getBeneficiaries = endpoint({
  method: 'GET',
  path: '/v1.0/withdrawal/getBeneficiaries',
  summary: 'Where the merchant may withdraw to: agreed to by a second person, or waiting for one',
  access: MERCHANT,
  input: z.object({}),
  output: z.object({
    list: z.array(
      z.object({
        id,
        ...paidTo,
        approveTime: time,
        /** Its payout products that can pay such a beneficiary. */
        products: z.array(z.object({ productId: z.int(), productName: z.string(), currency })),
      }),
    ),
    waiting: z.array(
      z.object({
        todoId: id,
        ...paidTo,
        /** The beneficiary that it would replace. */
        replaces: id.nullable(),
        startTime: time,
      }),
    ),
  }),
});

export const askForBeneficiary = endpoint({
  method: 'POST',
  path: '/v1.0/withdrawal/askForBeneficiary',
  summary:
    'Of a merchant itself: ask for a bank account or a UPI address of its own to withdraw to, new or in the place of another (1205). An admin decides; until then nothing changes',
  access: MERCHANT,
  // An owner decides where the money may go, not a user who only moves money.
  duty: 'party',
  sensitive: true,
  stepUp: 'input',
  input: z.object({
    kind,
    userName: text(128),
    bankName: filter(text(128)),
    cardNumber: filter(text(20)),
    ifscCode: filter(text(11).toUpperCase()),
    vpa: filter(text(320)),
    replaces: filter(id),
    reason: text(256),
    /** A double press with the same key makes one request. */
    requestKey: z.uuid(),
  }),
  output: z.object({}),
});

export const removeBeneficiary = endpoint({
  method: 'POST',
  path: '/v1.0/withdrawal/removeBeneficiary',
  summary: 'Nothing more is withdrawn to it; what is under way goes on',
  access: MERCHANT,
  duty: 'money',
  sensitive: true,
  input: z.object({ id }),
  output: z.object({}),
});

const wish = {
  beneficiaryId: id,
  productId: z.coerce.number().int(),
  /** The amount that arrives. */
  amount: z.coerce.number().pipe(minor.positive()),
};

export const getQuote = endpoint({
  method: 'GET',
  path: '/v1.0/withdrawal/getQuote',
  summary: 'What a withdrawal would cost now, and whether there is enough for it',
  access: MERCHANT,
  input: z.object(wish),
  output: z.object({
    currency,
    amount: minor,
    fee: minor,
    /** Taken from the available balance: amount plus fee. */
    total: minor,
    available: minor,
  }),
});

export const withdraw = endpoint({
  method: 'POST',
  path: '/v1.0/withdrawal/create',
  summary:
    "A payout of the merchant's to one of its beneficiaries. 409 where the fee is another than was shown, or the beneficiary is gone",
  access: MERCHANT,
  duty: 'money',
  sensitive: true,
  stepUp: 'input',
  input: z.object({
    ...wish,
    /** As getQuote answered it. */
    fee: z.coerce.number().pipe(minor.nonnegative()),
    /** The same key again answers the first withdrawal (1103 when anything else differs). */
    requestKey: z.uuid(),
  }),
  output: payoutDone,
});

export const getWithdrawals = endpoint({
  method: 'GET',
  path: '/v1.0/withdrawal/getList',
  summary: "The merchant's withdrawals, newest first, and where each stands",
  access: MERCHANT,
  input: z.object(paging),
  output: listOf(
    z.object({
      orderCode: z.string(),
      ...paidTo,
      currency: currency.nullable(),
      amount: minor.nullable(),
      fee: minor.nullable(),
      /** Null when the payout is in the archive; then amount and fee are null too. */
      orderStatusId: valuesOf(PAYOUT_STATUS).nullable(),
      utr: z.string().nullable(),
      /** The user who asked for it. */
      askedBy: z.string(),
      createTime: time,
      finishTime: time.nullable(),
    }),
  ),
});
