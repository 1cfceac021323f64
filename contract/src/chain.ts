/** Names of states and kinds of the trusted chain, shared by server and console. */
export const CHAIN_NODE_STATES = [
  'linked',
  'patched',
  'inferred',
  'orphan',
  'fork',
  'repeat',
  'pending',
] as const;
/** The states in the list of messages. It also shows messages that state no balance and explain no gap; they have no place in a chain. */
export const LISTED_CHAIN_STATES = [...CHAIN_NODE_STATES, 'no-balance'] as const;
/** States of messages that do not belong to their account's history, judging by the other messages. */
export const SET_ASIDE_STATES = [
  'orphan',
  'fork',
  'repeat',
] as const satisfies readonly (typeof CHAIN_NODE_STATES)[number][];
export const CHAIN_STATES = ['forming', 'trusted', 'suspect', 'closed'] as const;
export const GAP_STATES = ['open', 'patched', 'closed'] as const;
export const PATCH_STATES = ['proposed', 'live', 'superseded', 'withdrawn', 'dropped'] as const;
export const PATCH_KINDS = [
  'late-message',
  'statement-line',
  'order-supplement',
  'payout',
  'charge',
  'opening',
  'operator',
] as const;
/** How often an account's bank states balances: always, sometimes, never. */
export const BALANCE_MODES = ['required', 'optional', 'none'] as const;
export type BalanceMode = (typeof BALANCE_MODES)[number];
