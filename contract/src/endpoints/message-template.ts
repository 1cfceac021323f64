import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { filter, id, listOf, minor, paging, text, textFilter, time } from '../fields.ts';

const OWNER = ['superAdmin'] as const;
const SEES_BANKS = ['superAdmin', 'technicalMaintenance'] as const;

const sample = z.object({
  amount: z.string().regex(/^\d+\.\d{2}$/),
  account: z
    .string()
    .regex(/^\d{2,4}$/)
    .optional(),
  balance: z
    .string()
    .regex(/^-?\d+\.\d{2}$/)
    .optional(),
  ref: z
    .string()
    .regex(/^[A-Z0-9]{6,40}$/)
    .optional(),
});

/** The shape of server/src/evidence/templates/template.ts; patterns are RE2. */
export const messageTemplate = z.object({
  id: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(64),
  bank: text(64),
  country: z.enum(['IN', 'KE']),
  currency: z.enum(['INR', 'KES']),
  senderHeaders: z.array(z.string().trim().toUpperCase().max(12)).min(1).max(2000),
  suffixes: z
    .array(z.enum(['S', 'T', 'G']))
    .min(1)
    .optional(),
  rule: z.enum(['credit', 'debit', 'ignore', 'otp']),
  reason: z
    .enum([
      'future_or_due',
      'failed',
      'collect_request',
      'balance_only',
      'outgoing_confirmation',
      'promo',
      'other',
    ])
    .optional(),
  pattern: z.string().min(1).max(4000),
  unless: z.string().min(1).max(4000).optional(),
  details: z.array(z.string().min(1).max(4000)).max(60).optional(),
  priority: z.int().min(1).max(1100),
  kind: z.enum(['account', 'card', 'wallet']),
  enabled: z.boolean(),
  samples: z.array(z.object({ text: z.string().min(1).max(1600), expected: sample.nullable() })).max(50),
});

const origin = z.enum(['shipped', 'changed', 'own']);

export const getMessageTemplateList = endpoint({
  method: 'GET',
  path: '/v1.0/messageTemplate/getList',
  summary: 'Templates of bank messages, in the order they are tried',
  access: OWNER,
  input: z.object({
    ...paging,
    /** A part of the template's name, or a bank. */
    name: textFilter,
    rule: filter(messageTemplate.shape.rule),
    origin: filter(origin),
  }),
  output: listOf(
    messageTemplate
      .pick({ id: true, bank: true, rule: true, reason: true, kind: true, priority: true, enabled: true })
      .extend({
        origin,
        senders: z.int(),
        anySender: z.boolean(),
        samples: z.int(),
        /** 0: as shipped. */
        version: z.int(),
        updateTime: time.nullable(),
        updatedBy: z.string().nullable(),
      }),
  ),
});

export const getMessageTemplate = endpoint({
  method: 'GET',
  path: '/v1.0/messageTemplate/get',
  summary: 'A template as it stands, with its earlier versions',
  access: OWNER,
  input: z.object({ id: z.string().max(64) }),
  output: z.object({
    template: messageTemplate,
    origin,
    version: z.int(),
    versions: z.array(
      z.object({ version: z.int(), template: messageTemplate, time, by: z.string().nullable() }),
    ),
  }),
});

export const saveMessageTemplate = endpoint({
  method: 'POST',
  path: '/v1.0/messageTemplate/save',
  summary:
    'A new template or a new version of one, once a second person agrees (1205); refused unless its samples parse as they say',
  access: OWNER,
  sensitive: true,
  input: z.object({
    template: messageTemplate,
    /** The version that was edited; 0 for a new or a shipped template. */ version: z.int().min(0),
  }),
  output: z.object({ id: z.string(), version: z.int() }),
});

const attempt = z.object({
  outcome: z.enum(['parsed', 'ignored', 'otp', 'unparsed']),
  templateId: z.string().nullable(),
  reason: z.string().nullable(),
  /** A guess; nothing is booked by it. */
  isProposal: z.boolean(),
  direction: z.enum(['credit', 'debit']).nullable(),
  currency: z.enum(['INR', 'KES']).nullable(),
  amount: minor.nullable(),
  balance: minor.nullable(),
  accountTail: z.string().nullable(),
  ref: z.string().nullable(),
  payer: z.string().nullable(),
  vpa: z.string().nullable(),
  bankTime: time.nullable(),
});

export const tryMessageTemplate = endpoint({
  method: 'POST',
  path: '/v1.0/messageTemplate/try',
  summary: 'What the templates in force, and a draft beside them, read in pasted messages; nothing is stored',
  access: OWNER,
  input: z.object({
    template: messageTemplate.optional(),
    messages: z
      .array(z.object({ sender: z.string().trim().max(32).optional(), text: z.string().min(1).max(1600) }))
      .min(1)
      .max(50),
  }),
  output: z.object({ errors: z.array(z.string()), results: z.array(attempt) }),
});

export const draftMessageTemplate = endpoint({
  method: 'GET',
  path: '/v1.0/messageTemplate/draft',
  summary: 'A template made from a stored message, to be looked over and saved',
  access: OWNER,
  input: z.object({ messageId: id }),
  output: z.object({ template: messageTemplate, errors: z.array(z.string()) }),
});

export const getMessageCoverage = endpoint({
  method: 'GET',
  path: '/v1.0/messageTemplate/coverage',
  summary: 'How many messages of each bank were read, not read and ignored in 30 days',
  access: OWNER,
  input: z.object({}),
  output: z.object({
    list: z.array(
      z.object({
        bank: z.string().nullable(),
        senders: z.array(z.string()),
        parsed: z.int(),
        unparsed: z.int(),
        ignored: z.int(),
        lastUnparsedId: id.nullable(),
      }),
    ),
  }),
});

export const getBankList = endpoint({
  method: 'GET',
  path: '/v1.0/bank/getList',
  summary: 'Banks and the sender numbers their messages come from',
  access: SEES_BANKS,
  input: z.object({ ...paging, name: textFilter }),
  output: listOf(
    z.object({
      bank: z.string(),
      shipped: z.array(z.string()),
      added: z.array(z.object({ header: z.string(), time, by: z.string().nullable() })),
    }),
  ),
});

const header = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^(?=[A-Z0-9]*[A-Z])[A-Z0-9]{3,12}$/);

export const addBankHeader = endpoint({
  method: 'POST',
  path: '/v1.0/bank/addHeader',
  summary:
    "Takes a sender number as a bank's, once a second person agrees (1205): its messages are read from then on",
  access: OWNER,
  sensitive: true,
  input: z.object({ bank: text(64), header }),
  output: z.object({}),
});

export const removeBankHeader = endpoint({
  method: 'POST',
  path: '/v1.0/bank/removeHeader',
  summary: 'No longer takes a sender number as a bank’s; shipped ones stay',
  access: OWNER,
  sensitive: true,
  input: z.object({ header }),
  output: z.object({}),
});
