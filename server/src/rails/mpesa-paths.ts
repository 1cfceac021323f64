import {
  b2cResult,
  b2cStatus,
  b2cTimeout,
  c2bConfirmation,
  c2bValidation,
  stkResult,
} from '@sangam/contract/endpoints/mpesa.ts';
import type { Endpoint } from '@sangam/contract/endpoint.ts';
import { publicBase } from '../collection/pay-params.ts';
import type { Platform } from '../platform.ts';

/** What a path is about: an account's payments, an order's requests to a phone, a payout's answers. */
export type About = { readonly account: bigint; readonly key?: string } | { readonly order: bigint };

const purposeOf = (about: About) =>
  'order' in about ? `stk/${about.order}` : `mpesa/${about.account}/${about.key ?? ''}`;

/** Whether the mark of a path is ours: the only thing that shows that M-Pesa calls. */
export function isOurs(platform: Pick<Platform, 'vault'>, about: About, mark: string | undefined): boolean {
  return platform.vault.isHookMark(purposeOf(about), mark ?? '');
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
