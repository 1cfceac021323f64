import { ARCHIVE_TABLES } from '@sangam/contract/archive.ts';
import { DAY, SECOND } from '@sangam/server/platform/clock.ts';
import { type Database, raw, sql } from '@sangam/server/platform/db/database.ts';
import { firstIdAt } from '@sangam/server/platform/db/ids.ts';
import { partitionOf } from '@sangam/server/platform/db/partitions.ts';

/** Writes a month of paid orders, each with four events, an attempt and a message. No other table has rows about them. */
export async function fillMonth(db: Database, month: Date, orders: number): Promise<void> {
  const first = firstIdAt(month);
  const step = (firstIdAt(new Date(month.getTime() + 27 * DAY)) - first) / BigInt(orders);
  const id = (offset: number) => sql`(${first}::bigint + n * ${step}::bigint + ${offset})`;
  const at = sql`(to_timestamp((${id(0)} >> 22) / 1000.0) + interval '50 years')`;
  const each = sql`generate_series(0, ${orders - 1}) n`;
  await db.tx(
    async (tx) => {
      await tx.query(sql`set local statement_timeout = 0`);
      await tx.query(sql`
      insert into ${raw(partitionOf('collection_orders', month))} (id, merchant_id, mch_order_no, product_id, currency, amount, payable, received, status, supplier_id,
        account_id, identify_code, client_ip, user_name, utr, notify_url, subject, param1, merchant_rate_ppm, merchant_fixed_fee, fee,
        supplier_commission, agent_commission, allocated_at, expires_at, paid_at, told_at, told_attempt, created_at)
      select ${id(0)}, 10000 + n % 20, 'M' || n, 1010, case n % 10 when 0 then 'KES' else 'INR' end, 10000 + n % 50000, 10000 + n % 50000,
        10000 + n % 50000, 3, 20000 + n % 50, 30000 + n % 300, 'C' || n, '203.0.113.' || n % 250, 'Payer Name ' || n % 9000, '63' || (2500000000 + n),
        'https://merchant.example/notify', 'Order of goods ' || n, 'p' || n, 25000, 0, 250, 150, 20, ${at}, ${at} + interval '15 minutes',
        ${at} + interval '2 minutes', ${at} + interval '2 minutes 1 second', 1, ${at} from ${each}`);
      await tx.query(sql`
      insert into ${raw(partitionOf('order_events', month))} (id, tx_id, order_id, kind, from_status, to_status, actor_kind, actor_id, data, created_at)
      select ${id(1)} + k, 1 + n / 1000, ${id(0)}, (array['created', 'allocated', 'paid', 'callbackSucceeded'])[k + 1], k, k + 1, 'system', null,
        jsonb_build_object('run', n::text, 'accountId', 30000 + n % 300, 'amount', 10000 + n % 50000), ${at} from ${each}, generate_series(0, 3) k`);
      await tx.query(sql`
      insert into ${raw(partitionOf('callback_attempts', month))} (id, callback_id, order_id, url, http_method, signed, status, answer, duration_ms, created_at)
      select ${id(6)}, ${id(7)}, ${id(0)}, 'https://merchant.example/notify', 'POST', md5(n::text), 200, 'success', 40 + n % 100, ${at} from ${each}`);
      await tx.query(sql`
      insert into ${raw(partitionOf('messages', month))} (id, monitor_id, external_id, kind, sender, text, supplier_id, account_id, template_id, bank, direction,
        currency, amount, account_tail, utr, state, order_id, received_at, reported_at)
      select ${id(8)}, 1, 'e' || n, 'sms', 'VM-HDFCBK-S', 'Credit Alert! Rs.' || n || ' credited to HDFC Bank A/c XX1234 from VPA payer@okbank (UPI 63' || n || ')',
        20000 + n % 50, 30000 + n % 300, 'hdfc-upi-credit', 'HDFC', 'credit', 'INR', 10000 + n % 50000, '1234', '63' || (2500000000 + n), 'matched', ${id(0)}, ${at}, ${at}
      from ${each}`);
      // Marks all of it as sealed.
      await tx.query(sql`
      insert into audit_blocks (number, from_tx, to_tx, row_count, leaves, sealed_at, previous, hash, key_id, signature)
      values (1, 0, 1000000000, 1, decode(repeat('00', 41), 'hex'), now(), sha256(''), sha256('a'), 'none', decode(repeat('00', 64), 'hex'))`);
    },
    10 * 60 * SECOND,
  );
  await db.tx(
    async (tx) => {
      await tx.query(sql`set local statement_timeout = 0`);
      for (const table of ARCHIVE_TABLES) await tx.query(sql`analyze ${raw(partitionOf(table, month))}`);
    },
    10 * 60 * SECOND,
  );
}
