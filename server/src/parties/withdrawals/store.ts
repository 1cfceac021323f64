import { type Queryable, type Tx, sql } from '../../platform/db/database.ts';

/** An account that a merchant withdraws to: bank, account and IFSC, or a VPA. */
export interface PaidTo {
  readonly name: string;
  readonly bank: string | null;
  readonly account: string | null;
  readonly ifsc: string | null;
  readonly vpa: string | null;
}

export interface Beneficiary extends PaidTo {
  readonly id: bigint;
  readonly approvedAt: Date;
}

const COLUMNS = sql`b.id, b.name, b.bank, b.account, b.ifsc, b.vpa, b.approved_at as "approvedAt"`;

/** The beneficiaries that a merchant may withdraw to. */
export function standingBeneficiaries(db: Queryable, merchantId: bigint): Promise<Beneficiary[]> {
  return db.query<Beneficiary>(
    sql`select ${COLUMNS} from beneficiaries b where b.merchant_id = ${merchantId} and b.removed_at is null order by b.id`,
  );
}

/** A beneficiary of the merchant, also a removed one. */
export async function beneficiaryOf(
  db: Queryable,
  merchantId: bigint,
  id: bigint,
): Promise<Beneficiary | undefined> {
  const [row] = await db.query<Beneficiary>(
    sql`select ${COLUMNS} from beneficiaries b where b.merchant_id = ${merchantId} and b.id = ${id}`,
  );
  return row;
}

/** Whether the beneficiary stands. If so, it cannot be removed before this transaction ends. */
export async function holdBeneficiary(tx: Tx, merchantId: bigint, id: bigint): Promise<boolean> {
  const rows = await tx.query(
    sql`select 1 from beneficiaries where merchant_id = ${merchantId} and id = ${id} and removed_at is null for share`,
  );
  return rows.length > 0;
}

/** Writes a beneficiary. False where the merchant already has one with this account or VPA. */
export async function insertBeneficiary(
  tx: Tx,
  row: PaidTo & { readonly id: bigint; readonly merchantId: bigint; readonly approvalId: bigint },
  at: Date,
): Promise<boolean> {
  const made = await tx.query(sql`
    insert into beneficiaries (id, merchant_id, approval_id, name, bank, account, ifsc, vpa, approved_at)
    values (${row.id}, ${row.merchantId}, ${row.approvalId}, ${row.name}, ${row.bank}, ${row.account}, ${row.ifsc}, ${row.vpa}, ${at})
    on conflict do nothing returning id`);
  return made.length > 0;
}

/** Removes a beneficiary. False where it does not stand. */
export async function endBeneficiary(tx: Tx, merchantId: bigint, id: bigint, at: Date): Promise<boolean> {
  const ended = await tx.query(sql`
    update beneficiaries set removed_at = ${at} where merchant_id = ${merchantId} and id = ${id} and removed_at is null returning id`);
  return ended.length > 0;
}

export async function insertWithdrawal(
  tx: Tx,
  row: {
    readonly orderId: bigint;
    readonly merchantId: bigint;
    readonly beneficiaryId: bigint;
    readonly askedBy: bigint;
    readonly createdAt: Date;
  },
): Promise<void> {
  await tx.query(sql`
    insert into withdrawals (order_id, merchant_id, beneficiary_id, asked_by, created_at)
    values (${row.orderId}, ${row.merchantId}, ${row.beneficiaryId}, ${row.askedBy}, ${row.createdAt})`);
}
