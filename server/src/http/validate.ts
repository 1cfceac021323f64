import type { Endpoint } from '@sangam/contract/endpoint.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { z } from 'zod';
import { type Refusal, refuse } from '../platform/refusal.ts';

const ISSUE_TEXTS: Readonly<Record<Locale, z.core.$ZodErrorMap>> = {
  'en-US': z.locales.en().localeError,
  'zh-CN': z.locales.zhCN().localeError,
  'zh-TW': z.locales.zhTW().localeError,
};

/**
 * Reads the input by the contract, or refuses it with 400. The refusal names each wrong field in the caller's language and adds what the
 * contract says about it (such as the range of a setting).
 */
export function parseInput(
  endpoint: Endpoint,
  input: unknown,
  locale: Locale,
): { readonly value: unknown } | { readonly refusal: Refusal } {
  const general = new Set<unknown>();
  const error: z.core.$ZodErrorMap = (issue) => {
    const told = ISSUE_TEXTS[locale](issue);
    general.add(typeof told === 'object' ? told?.message : told);
    return told;
  };
  const parsed = endpoint.input.safeParse(input, { error });
  if (parsed.success) return { value: parsed.data };
  const fields = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  const named = fields.map(({ path, message }) => (general.has(message) ? path : `${path} (${message})`));
  const names = [...new Set(named)].join(', ');
  return { refusal: refuse('invalidInput', { fields: names }, { fields }) };
}

/** Puts `data` into the shape of the contract. Keys that the contract does not name never leave the server. */
export function shapeOutput(endpoint: Endpoint, data: unknown): unknown {
  const shaped = endpoint.output.safeParse(data);
  if (shaped.success) return shaped.data;
  throw new Error(`The answer of ${endpoint.path} does not fit its contract`, { cause: shaped.error });
}
