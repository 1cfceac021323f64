import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { filter, id, idFilter, listOf, paging, text, textFilter, time } from '../fields.ts';
import { ADMINS } from '../roles.ts';
import { DESK } from './story.ts';

/** How often client addresses order, and which of them are abnormal, frozen or exempt. */

const readers = [...ADMINS, 'customerService', 'technicalMaintenance'] as const;

/** The state of an address; `server` means that a merchant's signed calls come from it. */
export const IP_STATES = ['ordinary', 'abnormal', 'frozen', 'exempt', 'server'] as const;

export const getIpList = endpoint({
  method: 'GET',
  path: '/v1.0/orderAnalysis/getIpList',
  summary:
    'Client addresses by their orders within lookForwardMinutes, most first; from perMinuteFreqCount on an address is abnormal. Counted within two seconds',
  access: readers,
  input: z.object({
    ...paging,
    /** An address, or a network for all addresses in it. */
    ipAddress: textFilter,
    /** Addresses from which this merchant has orders. Their counts are of the orders of all merchants. */
    merchantId: idFilter,
    /** abnormal: at least perMinuteFreqCount orders. */
    state: filter(z.enum(['abnormal'])),
  }),
  output: listOf(
    z.object({
      ipAddress: z.string(),
      state: z.enum(IP_STATES),
      orders: z.int(),
      paid: z.int(),
      merchants: z.int(),
      /** Different payer names, as merchants state them. */
      names: z.int(),
      accounts: z.int(),
      /** The most orders in one minute. */
      peak: z.int(),
      /** Names of the merchants, ten at most. */
      merchantNames: z.array(z.string()),
      firstTime: time,
      lastTime: time,
    }),
  ).extend({
    lookForwardMinutes: z.int(),
    perMinuteFreqCount: z.int(),
    /** The start of the window: a list of the address's orders has to start at it. */
    fromTime: time,
  }),
});

const abnormalState = z.enum(['abnormal', 'frozen', 'exempt']);

export const getFrozenIpList = endpoint({
  method: 'GET',
  path: '/v1.0/orderAnalysis/getFrozenIpList',
  summary:
    'Addresses that were abnormal lately, are frozen, or are exempt: why, since when, and how they order now',
  access: readers,
  input: z.object({ ...paging, ipAddress: textFilter, state: filter(abnormalState) }),
  output: listOf(
    z.object({
      id,
      ipAddress: z.string(),
      state: abnormalState,
      /** The merchant whose server has this address; the address cannot be frozen. */
      serverOf: z.string().nullable(),
      /**
       * The most orders within a window of so many minutes, and the threshold at that time; null where a person named the
       * address first.
       */
      orders: z.int().nullable(),
      windowMinutes: z.int().nullable(),
      threshold: z.int().nullable(),
      /** Orders within lookForwardMinutes; for a network, of all its addresses. */
      ordersNow: z.int(),
      /** The first and the last minute of these orders; null where there are none. */
      firstTime: time.nullable(),
      lastTime: time.nullable(),
      sinceTime: time,
      lastOverTime: time.nullable(),
      frozenTime: time.nullable(),
      frozenUntil: time.nullable(),
      reason: z.string().nullable(),
      changedBy: z.string().nullable(),
      changeTime: time.nullable(),
    }),
  ),
});

/** The widest network that may be frozen (prefix length). */
const WIDEST = { ipv4: 16, ipv6: 32 } as const;

/** A network of IPv4 addresses is written as IPv4: its prefix would mean something else in the other spelling. */
export const network = z.union([
  z.cidrv4(),
  z.cidrv6().refine((entry) => !/^[0:]*:ffff:/i.test(entry), 'IPv4: a.b.c.d/n'),
]);
const addressOrNetwork = z.union([z.ipv4(), z.ipv6(), network]).refine((entry) => {
  const [address = '', bits] = entry.split('/');
  return bits === undefined || Number(bits) >= WIDEST[address.includes(':') ? 'ipv6' : 'ipv4'];
}, `/${WIDEST.ipv4} (IPv4), /${WIDEST.ipv6} (IPv6)`);

const done = z.object({ ipAddress: z.string(), state: z.string() });
const reason = text(256);

export const freezeIp = endpoint({
  method: 'POST',
  path: '/v1.0/orderAnalysis/freezeIp',
  summary:
    'Refuse new orders from a client address or network (1107) for a time; on every node within a second. Servers of merchants and exempt addresses cannot be frozen (409)',
  access: DESK,
  input: z.object({
    ipAddress: addressOrNetwork,
    /** Minutes until it thaws by itself; 24 hours when left out, 30 days at most. */
    minutes: z.coerce.number().int().min(1).max(43_200).default(1440),
    reason,
  }),
  output: done,
});

export const unfreezeIp = endpoint({
  method: 'POST',
  path: '/v1.0/orderAnalysis/unfreezeIp',
  summary: 'Let a frozen address order again',
  access: DESK,
  input: z.object({ ipAddress: addressOrNetwork, reason }),
  output: done,
});

export const exemptIp = endpoint({
  method: 'POST',
  path: '/v1.0/orderAnalysis/exemptIp',
  summary: 'Say that an address may order as often as it likes, or no longer may (exempt: false)',
  access: ADMINS,
  sensitive: true,
  input: z.object({ ipAddress: addressOrNetwork, exempt: z.boolean(), reason }),
  output: done,
});
