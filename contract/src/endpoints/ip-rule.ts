import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { filter, id, listOf, paging, text, textFilter, time } from '../fields.ts';
import { IP_DOORS, IP_EFFECTS, parseIpSubject } from '../ip-rules.ts';

/** Rules about addresses: who may come in from where (docs/domain.md#rules-about-addresses). */

const ipSubject = z
  .string()
  .trim()
  .refine((text) => parseIpSubject(text) !== undefined, 'anyone | role:… | user:… | merchant:…');

/** An address or a network, IPv4 or IPv6. */
const ipNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

const door = z.enum(IP_DOORS);
const effect = z.enum(IP_EFFECTS);
const expiresTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'YYYY-MM-DD HH:mm:ss')
  .nullable();

export const getIpRules = endpoint({
  method: 'GET',
  path: '/v1.0/ipRule/getList',
  summary: 'Rules about addresses, newest first',
  access: ['superAdmin', 'technicalMaintenance'],
  input: z.object({
    ...paging,
    door: filter(door),
    effect: filter(effect),
    state: filter(z.enum(['active', 'expired'])),
    network: textFilter,
    note: textFilter,
  }),
  output: listOf(
    z.object({
      id,
      door,
      effect,
      subject: z.string(),
      /** Account of the user or name of the merchant; null for other subjects. */
      subjectName: z.string().nullable(),
      network: z.string(),
      note: z.string(),
      expiresTime: time.nullable(),
      state: z.enum(['active', 'expired']),
      /** How often the rule has decided; updated every few seconds. */
      hits: z.int(),
      lastHitTime: time.nullable(),
      changedBy: z.string().nullable(),
      changeTime: time,
    }),
  ),
});

const ruleFields = { door, effect, subject: ipSubject, network: ipNetwork, expiresTime };

export const saveIpRule = endpoint({
  method: 'POST',
  path: '/v1.0/ipRule/save',
  summary:
    'Add or change (id given) a rule. One that lets in who was refused waits for a second person; one that locks out its author or every superAdmin is refused',
  access: ['superAdmin'],
  sensitive: true,
  input: z.object({
    id: id.optional(),
    ...ruleFields,
    expiresTime: expiresTime.optional(),
    note: z.string().trim().max(256).default(''),
    reason: text(256),
  }),
  output: z.object({ id }),
});

export const removeIpRule = endpoint({
  method: 'POST',
  path: '/v1.0/ipRule/remove',
  summary: 'Take a rule away; waits for a second person where that lets somebody in',
  access: ['superAdmin'],
  sensitive: true,
  input: z.object({ id, reason: text(256) }),
  output: z.object({ id }),
});

const verdict = z.object({
  allowed: z.boolean(),
  /** 'rule': the rule below decides. 'closed': there are allowing rules, but none has the address. 'open': no rule has the address. */
  because: z.enum(['rule', 'closed', 'open']),
  rule: z.object({ effect, subject: z.string(), network: z.string() }).nullable(),
});

export const tryIpAddress = endpoint({
  method: 'GET',
  path: '/v1.0/ipRule/tryAddress',
  summary:
    'Whether an address would get in as somebody: by the rules as they are, and with a rule that is being written',
  access: ['superAdmin', 'technicalMaintenance'],
  input: z.object({
    door,
    address: z.union([z.ipv4(), z.ipv6()]),
    as: ipSubject.default('anyone'),
    /** The rule that is being changed; left out for a new one. */
    draftId: filter(id),
    draftEffect: filter(effect),
    draftSubject: filter(ipSubject),
    draftNetwork: filter(ipNetwork),
  }),
  output: z.object({ now: verdict, withDraft: verdict.nullable() }),
});
