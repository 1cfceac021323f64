import { MARK_KINDS } from '@sangam/contract/name-lists.ts';
import type { Vault } from '../platform/vault.ts';

/** Ways to know somebody beside the name. They are kept as keyed hashes: a list of wanted people is no address book. */
export type MarkKind = (typeof MARK_KINDS)[number];

/** Who pays, is paid, or is to be a party; what is not known is left out. */
export type Party = { readonly [Kind in MarkKind | 'name']?: string | null | undefined };

const PHONE_DIGITS = 10;

/** One text for all ways to write the same; undefined where nothing is left. */
function plainMark(kind: MarkKind, value: string): string | undefined {
  const text = value.normalize('NFKC').toLowerCase();
  const plain = kind === 'vpa' ? text.trim() : text.replace(/[^a-z0-9]/g, '');
  // The country's prefix is sometimes there and sometimes not.
  return (kind === 'phone' ? plain.slice(-PHONE_DIGITS) : plain) || undefined;
}

/** The hash a list keeps: without the master key nobody can try values against it. */
export function markOf(vault: Vault, kind: MarkKind, value: string): string | undefined {
  const plain = plainMark(kind, value);
  return plain && `${kind}:${vault.hookMark(`listed ${kind} ${plain}`)}`;
}
