import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { filter, id, idFilter, listOf, paging, text, time, timeFilter } from '../fields.ts';
import { ADMINS } from '../roles.ts';

/** KYC records of merchants, of suppliers, and of accounts (their proof of ownership). */

const subjectKind = z.enum(['merchant', 'supplier', 'account']);
const verdict = z.enum(['pending', 'approved', 'rejected']);

export const submitKyc = endpoint({
  method: 'POST',
  path: '/v1.0/kyc/submit',
  summary: 'Submit a record for review; merchants and suppliers their own, suppliers also of their accounts',
  access: [...ADMINS, 'customerService', 'supplier', 'merchant'],
  duty: 'party',
  sensitive: true,
  input: z.object({
    subjectKind,
    subjectId: id,
    /** Where the documents are kept; never the documents themselves. */
    documentReference: text(500),
    expiresTime: timeFilter,
  }),
  output: z.object({ id }),
});

export const reviewKyc = endpoint({
  method: 'POST',
  path: '/v1.0/kyc/review',
  summary: 'Approve or reject a record that somebody else submitted',
  access: ADMINS,
  sensitive: true,
  input: z.object({
    id,
    verdict: verdict.exclude(['pending']),
    note: filter(text(500)),
    /** Replaces the submitted time. */
    expiresTime: timeFilter,
  }),
  output: z.object({}),
});

export const getKycList = endpoint({
  method: 'GET',
  path: '/v1.0/kyc/getList',
  summary: 'KYC records the viewer may see, newest first',
  access: [...ADMINS, 'customerService', 'technicalMaintenance', 'supplier', 'merchant'],
  input: z.object({
    ...paging,
    subjectKind: filter(subjectKind),
    subjectId: idFilter,
    verdict: filter(z.enum([...verdict.options, 'expired'])),
    /** Approved records that expire before this time. */
    expiresBefore: timeFilter,
  }),
  output: listOf(
    z.object({
      id,
      subjectKind,
      subjectId: id,
      subjectName: z.string(),
      verdict: z.enum([...verdict.options, 'expired']),
      documentReference: z.string(),
      note: z.string().nullable(),
      submittedBy: z.string(),
      submitTime: time,
      reviewedBy: z.string().nullable(),
      reviewTime: time.nullable(),
      expiresTime: time.nullable(),
      mayReview: z.boolean(),
    }),
  ),
});
