/** The functions that a pay script may have. The products of an account decide which of them it needs. */
export const SCRIPT_FUNCTIONS = ['createOrder', 'query', 'parseNotify', 'payout'] as const;
export type ScriptFunction = (typeof SCRIPT_FUNCTIONS)[number];

/** Why a call of a script failed. */
export const SCRIPT_FAILURES = [
  'syntax',
  'thrown',
  'missing',
  'cpu',
  'memory',
  'time',
  'pending',
  'output',
  'crashed',
  'busy',
  /** It answered, but not in the required shape. */
  'shape',
] as const;
export type ScriptFailure = (typeof SCRIPT_FAILURES)[number];

/** Scheme, host and port that a script may fetch from, as URL.origin writes them; undefined when the text is no such origin. */
export function originOf(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  const isBare = (url.pathname === '/' || url.pathname === '') && !url.search && !url.hash && !url.username;
  return isBare ? url.origin : undefined;
}
