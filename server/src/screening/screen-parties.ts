import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Found } from './hits.ts';
import { nameScreen } from './screen.ts';
import { readVersion } from './store.ts';

interface Known {
  readonly place: Found['place'];
  readonly subject: string;
  readonly name: string | null;
  readonly account: string | null;
  readonly vpa: string | null;
  readonly phone: string | null;
  readonly document: string | null;
}

/**
 * Screens everybody who already exists, once after each change of the lists: merchants, suppliers, accounts and their owners, documents of
 * KYC records, payees of waiting payouts. Hits are written and raise an alert; people decide what to do. Answers how many were screened.
 */
export async function screenParties(platform: Platform): Promise<number> {
  const { db } = platform;
  const version = await readVersion(db);
  const [state] = await db.query<{ screened: bigint }>(sql`select screened from name_list_version`);
  if (state!.screened === version) return 0;
  const names = nameScreen(platform);
  await names.refresh();
  const screen = await names.ready();
  const known = await db.query<Known>(sql`
    select 'party' as place, 'merchant:' || id as subject, name, null as account, null as vpa, null as phone,
      null as document from merchants
    union all select 'party', 'supplier:' || id, name, null, null, null, null from suppliers
    union all select 'account', 'account:' || id, owner_name, account_number, vpa,
      case mpesa_type when 'phone' then account_number end, null from accounts
    union all select 'kyc', subject_kind || ':' || subject_id, null, null, null, null, document_reference from kyc_records
      where verdict <> 'rejected'
    union all select 'payout', 'order:' || id, payee_name, payee_account, payee_vpa, payee_phone, null from payout_orders
      where status = ${PAYOUT_STATUS.waiting}`);
  for (const { place, subject, ...party } of known) screen.hit(party, place, subject);
  await names.flush();
  await db.tx((tx) =>
    tx.query(sql`update name_list_version set screened = ${version} where screened < ${version}`),
  );
  return known.length;
}
