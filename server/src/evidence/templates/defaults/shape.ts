import type { Direction, MessageTemplate } from '../template.ts';
import { DETAILS } from './fragments.ts';
import { indianHeaders } from './headers.ts';

/** Higher is tried first. The gaps leave room for the operator's own templates. */
export const PRIORITY = {
  otp: 1_000,
  guard: 900,
  bank: 500,
  /** Below the banks' own wordings. */
  otherAccount: 400,
  /** A later word reverses what the first verb says. */
  turned: 330,
  /** 'to your A/c' names the own account beyond doubt. */
  ownAccount: 320,
  account: 300,
  /** Account shapes with room between their words, only for texts that the strict ones do not match. */
  looseAccount: 280,
  debitCard: 260,
  card: 250,
  noAccount: 200,
  /** Classifies a text that nothing else matched. */
  lateGuard: 50,
} as const;

type Specific = Pick<MessageTemplate, 'id' | 'pattern' | 'samples'> & Partial<MessageTemplate>;

/** An Indian movement template with the usual details; `specific` overrides any default. */
export function indianTemplate(direction: Direction, specific: Specific): MessageTemplate {
  return {
    bank: '*',
    country: 'IN',
    currency: 'INR',
    senderHeaders: indianHeaders,
    rule: direction,
    details: DETAILS[direction],
    priority: PRIORITY.account,
    kind: 'account',
    enabled: true,
    ...specific,
  };
}
