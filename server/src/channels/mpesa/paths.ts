import {
  b2cResult,
  b2cStatus,
  b2cTimeout,
  c2bConfirmation,
  c2bValidation,
  stkResult,
} from '@sangam/contract/endpoints/mpesa.ts';
import type { Endpoint } from '@sangam/contract/endpoint.ts';
import { publicBase } from '../../platform/public-base.ts';
import { perPlatform } from '../../platform/node-state.ts';
import type { WebhookCall } from '../../http/route.ts';
import { addressMatcher } from '../../platform/net/addresses.ts';
import type { Platform } from '../../platform/platform.ts';

/** What a callback path concerns: an account's payments, an order's requests to a phone, or a payout's results. */
export type About = { readonly account: bigint; readonly key?: string } | { readonly order: bigint };

const purposeOf = (about: About) =>
  'order' in about ? `stk/${about.order}` : `mpesa/${about.account}/${about.key ?? ''}`;

const callersOf = perPlatform(({ config: { mpesaAddresses = [] } }) =>
  mpesaAddresses.length === 0 ? () => true : addressMatcher(mpesaAddresses),
);

/**
 * Whether the caller is M-Pesa, which signs nothing. The secret mark in the path must be right and, where we have a list of
 * M-Pesa's addresses, the caller's address must be on it. A right mark from another address means that the path leaked or the
 * list is too old.
 */
export function isMpesa(platform: Platform, about: About, { params, ip }: WebhookCall): boolean {
  if (!platform.vault.isHookMark(purposeOf(about), params['mark'] ?? '')) return false;
  const isListed = callersOf(platform)(ip);
  if (!isListed)
    platform.log.error(
      { ip, about: purposeOf(about) },
      'a path of M-Pesa’s was called from an unlisted address',
    );
  return isListed;
}

async function addressOf(platform: Platform, endpoint: Endpoint, about: About): Promise<string> {
  const path = endpoint.path
    .replace(':mark', platform.vault.hookMark(purposeOf(about)))
    .replace(':account', 'account' in about ? String(about.account) : '')
    .replace(':order', 'order' in about ? String(about.order) : '')
    .replace(':key', 'key' in about ? (about.key ?? '') : '');
  return (await publicBase(platform)) + path;
}

export async function c2bAddresses(platform: Platform, account: bigint) {
  const [confirmation, validation] = await Promise.all([
    addressOf(platform, c2bConfirmation, { account }),
    addressOf(platform, c2bValidation, { account }),
  ]);
  return { confirmation, validation };
}

export function stkAddress(platform: Platform, order: bigint): Promise<string> {
  return addressOf(platform, stkResult, { order });
}

export async function b2cAddresses(platform: Platform, account: bigint, key: string) {
  const [result, timeout, status] = await Promise.all([
    addressOf(platform, b2cResult, { account, key }),
    addressOf(platform, b2cTimeout, { account, key }),
    addressOf(platform, b2cStatus, { account, key }),
  ]);
  return { result, timeout, status };
}
