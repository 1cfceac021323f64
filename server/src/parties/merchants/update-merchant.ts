import type { z } from 'zod';
import type { updateMerchant as contract } from '@sangam/contract/endpoints/merchant.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import type { SignType } from '@sangam/contract/signature.ts';
import { audit } from '../../platform/audit/record.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import { listedProblem } from '../../screening/listed-problem.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CallbackTransport } from './add-merchant.ts';

interface Row {
  readonly name: string;
  readonly enabled: boolean;
  readonly signType: SignType;
  readonly callbackTransport: CallbackTransport | null;
}

/** Changes the fields that are given. Callbacks written before keep their transport. */
export async function updateMerchant(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<Record<string, never> | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const id = BigInt(input.id);
  const listed =
    input.name && (await listedProblem(platform, { name: input.name }, 'party', `merchant:${id}`));
  if (listed) return listed;
  return platform.db.tx(async (tx) => {
    const [before] = await tx.query<Row>(sql`
      select name, enabled, sign_type as "signType", callback_transport as "callbackTransport"
      from merchants where id = ${id} for update`);
    if (!before) return refuse('notFound');
    const after: Row = {
      name: input.name ?? before.name,
      enabled: input.enabled ?? before.enabled,
      signType: input.signType ?? before.signType,
      callbackTransport:
        input.callbackTransport === undefined ? before.callbackTransport : input.callbackTransport,
    };
    await tx.query(sql`
      update merchants set name = ${after.name}, enabled = ${after.enabled}, sign_type = ${after.signType},
        callback_transport = ${after.callbackTransport}
      where id = ${id}`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'merchant.update',
      subject: `merchant:${id}`,
      before,
      after,
      ip: viewer.ip,
    });
    return {};
  });
}
