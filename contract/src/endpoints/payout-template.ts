import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, text, time } from '../fields.ts';
import { RESULT_OUTCOMES, templateFormat } from '../payout-templates.ts';

const OWNER = ['superAdmin'] as const;

const template = z.object({
  id,
  name: z.string(),
  enabled: z.boolean(),
  version: z.int(),
  readsResult: z.boolean(),
  bank: z.string(),
  updateTime: time,
  updatedBy: z.string().nullable(),
});

export const getPayoutTemplateList = endpoint({
  method: 'GET',
  path: '/v1.0/payoutTemplate/getList',
  summary: 'Templates of bulk payout files',
  access: OWNER,
  input: z.object({}),
  output: z.object({ list: z.array(template) }),
});

export const getPayoutTemplate = endpoint({
  method: 'GET',
  path: '/v1.0/payoutTemplate/get',
  summary: 'A template as it stands, or one of its earlier versions',
  access: OWNER,
  input: z.object({ templateId: id, version: z.coerce.number().int().min(1).optional() }),
  output: template.extend({
    format: templateFormat,
    versions: z.array(z.object({ version: z.int(), time, by: z.string().nullable() })),
  }),
});

export const createPayoutTemplate = endpoint({
  method: 'POST',
  path: '/v1.0/payoutTemplate/create',
  summary: 'A new template, disabled until it is switched on',
  access: OWNER,
  sensitive: true,
  input: z.object({ name: text(64), format: templateFormat }),
  output: z.object({ templateId: id, version: z.int() }),
});

export const updatePayoutTemplate = endpoint({
  method: 'POST',
  path: '/v1.0/payoutTemplate/update',
  summary:
    'A new version, switched off until a second person agrees; batches made with an earlier one keep it',
  access: OWNER,
  sensitive: true,
  input: z.object({ templateId: id, version: z.int().min(1), format: templateFormat }),
  output: z.object({ templateId: id, version: z.int() }),
});

export const enablePayoutTemplate = endpoint({
  method: 'POST',
  path: '/v1.0/payoutTemplate/enable',
  summary: 'Switch a template on (a second person agrees: 1205) or off for new batches',
  access: OWNER,
  sensitive: true,
  input: z.object({ templateId: id, enable: z.boolean() }),
  output: z.object({ templateId: id, enable: z.boolean() }),
});

export const tryPayoutTemplate = endpoint({
  method: 'POST',
  path: '/v1.0/payoutTemplate/validate',
  summary: 'What a format makes of two invented payouts, and what it reads in a sample of the result file',
  access: OWNER,
  input: z.object({
    format: templateFormat,
    sample: z.object({ fileName: z.string().min(1).max(255), content: z.string().max(1_000_000) }).optional(),
  }),
  output: z.object({
    fileName: z.string(),
    upload: z.string(),
    result: z
      .array(
        z.object({
          row: z.int(),
          reference: z.string().nullable(),
          account: z.string().nullable(),
          amount: z.int().nullable(),
          outcome: z.enum(RESULT_OUTCOMES),
          utr: z.string().nullable(),
          reason: z.string().nullable(),
        }),
      )
      .nullable(),
  }),
});
