import type { z } from 'zod';
import type { revealAccount as contract } from '@sangam/contract/endpoints/account.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { recordReveal } from '../platform/audit/reveals.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { qrDataUrl } from '../platform/files/qr-code.ts';
import { pictureOf, scannedText } from './qr-code.ts';
import { accountScope } from './resource.ts';

const REVEALERS: readonly Role[] = ['superAdmin', 'admin', 'customerService'];

/**
 * Shows one masked value of an account. Before it is shown, the audit has who saw which value of which account, and why. 429 after
 * REVEALS_A_DAY in 24 hours.
 */
export function revealAccount(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<{ readonly value: string } | Refusal> {
  return platform.db.tx(async (tx) => {
    if (!REVEALERS.includes(viewer.role)) return refuse('forbidden');
    const id = BigInt(input.id);
    const [account] = await tx.query<{
      ownerName: string;
      accountNumber: string;
      ifsc: string | null;
      vpa: string | null;
    }>(sql`
      select a.owner_name as "ownerName", a.account_number as "accountNumber", a.ifsc, a.vpa
      from accounts a where a.id = ${id} ${accountScope(viewer)}`);
    const value =
      account &&
      (input.field === 'qrCode'
        ? ((await pictureOf(tx, id)) ?? (await qrDataUrl(scannedText(account))))
        : account[input.field]);
    if (!value) return refuse('notFound');
    const { field, reason } = input;
    const shown = { action: 'account.reveal', subject: `account:${id}`, field, reason } as const;
    return (await recordReveal(platform, tx, viewer, shown)) ?? { value };
  });
}
