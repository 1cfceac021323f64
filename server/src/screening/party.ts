import { MARK_KINDS } from '@sangam/contract/name-lists.ts';
import type { Vault } from '../platform/vault.ts';

/** What identifies somebody besides the name. Stored as keyed hashes, so that a list of wanted people cannot be read as an address book. */
export type MarkKind = (typeof MARK_KINDS)[number];

/** A payer, a payee, or a future party. Unknown fields are absent. */
export type Party = { readonly [Kind in MarkKind | 'name']?: string | null | undefined };

const PHONE_DIGITS = 10;

/** One text for all ways to write the same value. Undefined when nothing is left. */
function plainMark(kind: MarkKind, value: string): string | undefined {
  const text = value.normalize('NFKC').toLowerCase();
  const plain = kind === 'vpa' ? text.trim() : text.replace(/[^a-z0-9]/g, '');
  // The country's prefix is written sometimes and left out sometimes.
  return (kind === 'phone' ? plain.slice(-PHONE_DIGITS) : plain) || undefined;
}

/** The hash that a list keeps. Without the master key nobody can test values against it. */
export function markOf(vault: Vault, kind: MarkKind, value: string): string | undefined {
  const plain = plainMark(kind, value);
  return plain && `${kind}:${vault.hookMark(`listed ${kind} ${plain}`)}`;
}
