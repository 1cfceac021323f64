import { SIGN_TYPES } from '@sangam/contract/sign-types.ts';
import { type SignType } from '@sangam/contract/signature.ts';
import { rangeOf } from '../../access/ip-rules/ranges.ts';
import { LIMIT_COLUMNS, type LimitsRow } from '../../access/limits/columns.ts';
import { type Tx, sql } from '../../platform/db/database.ts';

/** How a merchant's calls come in: what signs them, and from which addresses. */
export interface Door extends LimitsRow {
  readonly signType: SignType;
  readonly cancelByMd5: boolean;
}

/** The merchant's door. Its row is locked, so that changes of sign type and addresses run one after the other. */
export async function lockDoor(tx: Tx, merchantId: bigint): Promise<Door | undefined> {
  const [row] = await tx.query<Door>(
    sql`select sign_type as "signType", cancel_by_md5 as "cancelByMd5", ${LIMIT_COLUMNS} from merchants where id = ${merchantId} for update`,
  );
  return row;
}

/**
 * Whether the change lets in anything new: a weaker signature, or a new address on a list. For payouts an empty list lets
 * everybody in by HMAC and nobody by MD5, so a change from MD5 to HMAC lets in more. A new network has to lie within one old
 * network; one that only several old networks together cover counts as new.
 */
export function letsInMore(before: Door, after: Door): boolean {
  const strength = ({ signType }: Door) => SIGN_TYPES.indexOf(signType);
  if (strength(after) < strength(before) || (after.cancelByMd5 && !before.cancelByMd5)) return true;
  const [had, has] = [listsOf(before), listsOf(after)];
  return has.some((list, index) => coversMore(had[index]!, list));
}

const EVERYBODY = ['0.0.0.0/0', '::/0'];

function listsOf({ signType, payInIps, payoutIps, consoleIps }: Door): (readonly string[])[] {
  const nobodyPaysOut = signType === 'md5' && payoutIps.length === 0;
  const open = (list: readonly string[]) => (list.length === 0 ? EVERYBODY : list);
  return [open(payInIps), nobodyPaysOut ? [] : open(payoutIps), open(consoleIps)];
}

function coversMore(before: readonly string[], after: readonly string[]): boolean {
  const had = before.map((network) => rangeOf(network)!);
  return after.some((network) => {
    const { first, last } = rangeOf(network)!;
    return !had.some((range) => range.first <= first && last <= range.last);
  });
}
