import type { SignType } from '@sangam/contract/signature.ts';
import { sql } from '../../platform/db/database.ts';
import { findCredentials } from '../../parties/merchants/credentials.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';

export interface OwnMerchant {
  readonly id: bigint;
  readonly signType: SignType;
  readonly secret: string;
  /** Whether a secret of the merchant was shown to somebody. */
  readonly hadSecret: boolean;
  /** The merchant's own transport, else the platform's. */
  readonly transport: 'json' | 'form' | 'query';
}

/** The viewer's own merchant, with the secret that it signs with. */
export async function ownMerchant(platform: Platform, viewer: Viewer): Promise<OwnMerchant | Refusal> {
  const id = viewer.merchantId;
  if (viewer.role !== 'merchant' || id === null) return refuse('forbidden');
  const found = (await findCredentials(platform.db, [id], platform.clock.now())).get(id);
  if (!found) return refuse('notFound');
  const [row] = await platform.db.query<{
    transport: OwnMerchant['transport'] | null;
    hadSecret: boolean;
  }>(sql`
    select callback_transport as transport, secret_shown_at is not null as "hadSecret" from merchants where id = ${id}`);
  const { CallbackType } = await platform.settings.all();
  return {
    id,
    signType: found.signType,
    secret: platform.vault.open(found.secret, ['merchants.secret', id]),
    hadSecret: row!.hadSecret,
    transport: row?.transport ?? CallbackType,
  };
}
