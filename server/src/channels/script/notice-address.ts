import { scriptNotice } from '@sangam/contract/endpoints/gateway.ts';
import { publicBase } from '../../platform/public-base.ts';
import type { Platform } from '../../platform/platform.ts';

const purposeOf = (accountId: bigint) => `script/${accountId}`;

/** The secret webhook address that a pay script's gateway calls for an account. */
export async function noticeAddress(platform: Platform, accountId: bigint): Promise<string> {
  const path = scriptNotice.path
    .replace(':account', String(accountId))
    .replace(':mark', platform.vault.hookMark(purposeOf(accountId)));
  return (await publicBase(platform)) + path;
}

export function isNoticeMark({ vault }: Pick<Platform, 'vault'>, accountId: bigint, mark: string): boolean {
  return vault.isHookMark(purposeOf(accountId), mark);
}
