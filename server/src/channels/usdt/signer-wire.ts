import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { isSame } from '../gateway/wire.ts';
import { isTronAddress } from '../../platform/tron-address.ts';
import { MINUTE } from '../../platform/clock.ts';

/** The protocol between platform and signer: JSON over HTTP on one machine, over TLS between two; each call has a MAC. */

const address = z.string().refine(isTronAddress);
/** Millionths of a USDT. */
const amount = z.string().regex(/^[1-9]\d{0,17}$/);
const whole = z.string().regex(/^\d+$/);
const txid = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().regex(/^[\w.@-]{1,64}$/);

/** The platform's calls, by path. */
export const QUESTIONS = {
  /**
   * Signs a payout: the same key always gets the same bytes. `known`: the last transfers of the wallet that the platform sent.
   * A signer whose file lacks one of them runs on an older copy of the file and signs nothing.
   */
  '/sign': z.object({
    key: name,
    payout: name,
    from: address,
    to: address,
    amount,
    known: z.array(txid).max(20).optional(),
  }),
  /**
   * The signed transfer of a payout: under whatever key the one that has paid or may still pay, else `txid`, else this key's. `alone`:
   * this key's only. `renounce`: if there is none, it is never signed. `known`: as with '/sign'.
   */
  '/find': z.object({
    key: name,
    payout: name,
    renounce: z.boolean(),
    alone: z.boolean(),
    txid: txid.optional(),
    known: z.array(txid).max(20).optional(),
  }),
  /**
   * One of the two people who let a payout pass the limits, identified by a code of their authenticator. `request`: the platform's request
   * that the first makes and the second approves. The code of a first is good for this request alone, and for a day.
   */
  '/release': z.object({
    payout: name,
    request: name,
    as: z.enum(['first', 'second']),
    to: address,
    amount,
    person: name,
    code: z.string().regex(/^\d{6}$/),
  }),
  '/wallets': z.object({}),
} as const;

export type Path = keyof typeof QUESTIONS;
export type Question<P extends Path> = z.infer<(typeof QUESTIONS)[P]>;

const signed = z.object({
  state: z.literal('signed'),
  key: z.string(),
  txid: z.string(),
  hex: z.string(),
  from: address,
  to: address,
  amount,
  expiration: z.number(),
});

/** The signer's file lacks a transfer that the platform knows: it is an older copy. */
const isOlder = z.literal(true).optional();

/** Why a payout is not signed. REFUSALS wait for a person; WAITS pass by themselves. */
const REFUSALS = ['releaseNeeded', 'different', 'renounced', 'noKey', 'wouldFail', 'dayLimit'] as const;
const WAITS = ['balance', 'energy', 'chain', 'olderFile'] as const;
/** Why a code releases nothing. 'locked': too many wrong codes of this person today. 'noFirst': no first code for this request. */
const RELEASE_REFUSALS = ['code', 'locked', 'noFirst', 'samePerson', 'different'] as const;

export const ANSWERS = {
  '/sign': z.union([
    signed,
    z.object({ state: z.literal('refused'), reason: z.enum(REFUSALS), detail: z.string().optional() }),
    z.object({ state: z.literal('wait'), reason: z.enum(WAITS), detail: z.string().optional() }),
  ]),
  '/find': z.union([signed.extend({ isOlder }), z.object({ state: z.enum(['none', 'renounced']), isOlder })]),
  '/release': z.union([
    z.object({ state: z.enum(['first', 'released']) }),
    z.object({ state: z.literal('refused'), reason: z.enum(RELEASE_REFUSALS) }),
  ]),
  '/wallets': z.object({
    /** Millionths of a USDT. */
    one: amount.or(z.literal('0')),
    day: amount.or(z.literal('0')),
    releasers: z.array(z.string()),
    wallets: z.array(z.object({ address, usedToday: whole, releasedToday: whole })),
  }),
} as const;

export type Answer<P extends Path> = z.infer<(typeof ANSWERS)[P]>;

const LATEST = MINUTE;

/** The MAC covers time, path and body, so that none can be used with another. */
export function markOf(secret: Buffer, at: string, path: string, body: string): string {
  return createHmac('sha256', secret).update(`${at}\n${path}\n${body}`).digest('hex');
}

/** Whether a call comes from a holder of the secret, and is recent. */
export function isMarked(
  secret: Buffer,
  call: {
    readonly at: string | undefined;
    readonly mark: string | undefined;
    readonly path: string;
    readonly body: string;
  },
  now: Date,
): boolean {
  const { at = '', mark, path, body } = call;
  if (!/^\d{13}$/.test(at) || Math.abs(Number(at) - now.getTime()) > LATEST) return false;
  return isSame(mark, markOf(secret, at, path, body));
}
