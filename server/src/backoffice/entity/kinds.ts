import type { EntityKind } from '@sangam/contract/entity.ts';
import { type Sql, sql } from '../../platform/db/database.ts';
import {
  maskAccountNumber,
  maskAddress,
  maskName,
  maskPhone,
  maskText,
  maskVpa,
} from '../../platform/masking.ts';

/** One kind of entity: its row, and its related entities. Each statement of a relation answers ids, as `id`. */
interface Kind {
  readonly row: (id: bigint) => Sql;
  /** The subjects under which the audit names it. */
  readonly subjects: (id: bigint) => Sql;
  readonly relations: Readonly<Partial<Record<EntityKind, (id: bigint) => Sql>>>;
}

/** For relations that may have many rows: only the newest. */
const NEWEST = sql`order by 1 desc limit 10`;

const named = (prefix: string) => (id: bigint) => sql`array[${`${prefix}:${id}`}]`;

const ofOrder = {
  posting: (id: bigint) => sql`select id from postings where order_id = ${id} ${NEWEST}`,
  callback: (id: bigint) => sql`select id from callbacks where order_id = ${id} ${NEWEST}`,
  approval: (id: bigint) =>
    sql`select id from approvals where subject_kind = 'order' and subject_id = ${id} ${NEWEST}`,
  message: (id: bigint) => sql`select id from messages where order_id = ${id} ${NEWEST}`,
  chainNode: (id: bigint) => sql`
    select n.id from messages m join chain_nodes n on n.account_id = m.account_id and n.id = m.id where m.order_id = ${id} ${NEWEST}`,
};

const party = (table: Sql, column: Sql) => (id: bigint) =>
  sql`
  select ${column} as id from ${table} where id = ${id} and ${column} is not null`;

const collections = sql`collection_orders`;
const payouts = sql`payout_orders`;

export const KINDS: Readonly<Record<EntityKind, Kind>> = {
  collectionOrder: {
    row: (id) => sql`select * from collection_orders where id = ${id}`,
    subjects: named('order'),
    relations: {
      ...ofOrder,
      merchant: party(collections, sql`merchant_id`),
      supplier: party(collections, sql`supplier_id`),
      account: party(collections, sql`account_id`),
    },
  },
  payoutOrder: {
    row: (id) => sql`select * from payout_orders where id = ${id}`,
    subjects: named('order'),
    relations: {
      ...ofOrder,
      merchant: party(payouts, sql`merchant_id`),
      supplier: party(payouts, sql`supplier_id`),
      account: party(payouts, sql`account_id`),
      payoutBatch: (id) =>
        sql`select batch_id as id from payout_batch_orders where order_id = ${id} ${NEWEST}`,
    },
  },
  merchant: {
    row: (id) => sql`select * from merchants where id = ${id}`,
    subjects: named('merchant'),
    relations: {
      user: party(sql`merchants`, sql`user_id`),
      supplier: (id) => sql`select id from suppliers where related_merchant_id = ${id}`,
      collectionOrder: (id) => sql`select id from collection_orders where merchant_id = ${id} ${NEWEST}`,
      payoutOrder: (id) => sql`select id from payout_orders where merchant_id = ${id} ${NEWEST}`,
      approval: (id) =>
        sql`select id from approvals where subject_kind = 'merchant' and subject_id = ${id} ${NEWEST}`,
    },
  },
  supplier: {
    row: (id) => sql`select * from suppliers where id = ${id}`,
    subjects: named('supplier'),
    relations: {
      user: party(sql`suppliers`, sql`user_id`),
      supplier: party(sql`suppliers`, sql`agent_id`),
      merchant: party(sql`suppliers`, sql`related_merchant_id`),
      account: (id) => sql`select id from accounts where supplier_id = ${id} ${NEWEST}`,
      monitor: (id) => sql`select id from monitors where supplier_id = ${id} ${NEWEST}`,
      collectionOrder: (id) => sql`select id from collection_orders where supplier_id = ${id} ${NEWEST}`,
      payoutOrder: (id) => sql`select id from payout_orders where supplier_id = ${id} ${NEWEST}`,
      approval: (id) =>
        sql`select id from approvals where subject_kind = 'supplier' and subject_id = ${id} ${NEWEST}`,
    },
  },
  account: {
    row: (id) => sql`
      select a.*, l.waiting_count, l.waiting_amount, l.grace_amount, l.last_used_at
      from accounts a left join account_load l on l.account_id = a.id where a.id = ${id}`,
    subjects: named('account'),
    relations: {
      supplier: party(sql`accounts`, sql`supplier_id`),
      monitor: party(sql`accounts`, sql`monitor_id`),
      collectionOrder: (id) => sql`
        select o.id from accounts a join collection_orders o on o.supplier_id = a.supplier_id and o.account_id = a.id
        where a.id = ${id} ${NEWEST}`,
      // By day first, as the index of what an account pays has them.
      payoutOrder: (id) => sql`
        select id from payout_orders where account_id = ${id} and taken_on is not null order by taken_on desc, id desc limit 10`,
      payoutBatch: (id) => sql`select id from payout_batches where account_id = ${id} ${NEWEST}`,
      message: (id) => sql`select id from messages where account_id = ${id} ${NEWEST}`,
      chainNode: (id) => sql`
        select id from chain_nodes where account_id = ${id} order by minute desc, place desc limit 10`,
      approval: (id) =>
        sql`select id from approvals where subject_kind = 'account' and subject_id = ${id} ${NEWEST}`,
    },
  },
  monitor: {
    row: (id) => sql`select * from monitors where id = ${id}`,
    subjects: named('monitor'),
    relations: {
      supplier: party(sql`monitors`, sql`supplier_id`),
      account: (id) => sql`select id from accounts where monitor_id = ${id} ${NEWEST}`,
    },
  },
  message: {
    row: (id) => sql`select * from messages where id = ${id}`,
    subjects: named('message'),
    relations: {
      monitor: party(sql`messages`, sql`monitor_id`),
      supplier: party(sql`messages`, sql`supplier_id`),
      account: party(sql`messages`, sql`account_id`),
      collectionOrder: (id) => sql`
        select o.id from messages m join collection_orders o on o.id = m.order_id where m.id = ${id}`,
      payoutOrder: (id) =>
        sql`select o.id from messages m join payout_orders o on o.id = m.order_id where m.id = ${id}`,
      chainNode: (id) => sql`
        select n.id from messages m join chain_nodes n on n.account_id = m.account_id and n.id = m.id where m.id = ${id}`,
    },
  },
  chainNode: {
    row: (id) => sql`select * from chain_nodes where id = ${id} limit 1`,
    subjects: named('chainNode'),
    relations: {
      account: (id) => sql`select account_id as id from chain_nodes where id = ${id}`,
      message: (id) => sql`select id from messages where id = ${id}`,
      chainNode: (id) => sql`
        select v.id from chain_nodes n cross join lateral (values (n.previous_id), (n.next_id)) v (id)
        where n.id = ${id} and v.id is not null`,
    },
  },
  posting: {
    row: (id) => sql`
      select p.*, (select json_agg(json_build_object('owner', a.owner_kind || ' ' || a.owner_id, 'bucket', a.bucket,
          'amount', e.amount, 'balanceAfter', e.balance_after) order by e.id)
        from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.posting_id = p.id) as entries
      from postings p where p.id = ${id}`,
    subjects: named('posting'),
    relations: {
      collectionOrder: (id) => sql`
        select o.id from postings p join collection_orders o on o.id = p.order_id where p.id = ${id}`,
      payoutOrder: (id) =>
        sql`select o.id from postings p join payout_orders o on o.id = p.order_id where p.id = ${id}`,
      posting: (id) => sql`
        select reverses as id from postings where id = ${id} and reverses is not null
        union all select id from postings where reverses = ${id}`,
      user: party(sql`postings`, sql`user_id`),
    },
  },
  callback: {
    row: (id) => sql`
      select c.*, q.next_at, q.attempts from callbacks c left join callback_queue q on q.callback_id = c.id where c.id = ${id}`,
    subjects: named('callback'),
    relations: {
      merchant: party(sql`callbacks`, sql`merchant_id`),
      collectionOrder: (id) => sql`
        select o.id from callbacks c join collection_orders o on o.id = c.order_id where c.id = ${id}`,
      payoutOrder: (id) =>
        sql`select o.id from callbacks c join payout_orders o on o.id = c.order_id where c.id = ${id}`,
    },
  },
  approval: {
    row: (id) => sql`select * from approvals where id = ${id}`,
    subjects: named('approval'),
    relations: {
      user: (id) => sql`
        select v.id from approvals a cross join lateral (values (a.started_by), (a.decided_by)) v (id)
        where a.id = ${id} and v.id is not null`,
      collectionOrder: (id) => sql`
        select o.id from approvals a join collection_orders o on a.subject_kind = 'order' and o.id = a.subject_id where a.id = ${id}`,
      payoutOrder: (id) => sql`
        select o.id from approvals a join payout_orders o on a.subject_kind = 'order' and o.id = a.subject_id where a.id = ${id}`,
      ...subjectOf('merchant'),
      ...subjectOf('supplier'),
      ...subjectOf('account'),
      ...subjectOf('message'),
    },
  },
  payoutBatch: {
    row: (id) => sql`
      select id, supplier_id, account_id, template_id, template_version, currency, min_amount, max_amount, order_count, total,
        pay_at, pay_day, serial, file_name, status, created_by, created_at, exported_at, sent_at, ended_at
      from payout_batches where id = ${id}`,
    subjects: named('payoutBatch'),
    relations: {
      supplier: party(sql`payout_batches`, sql`supplier_id`),
      account: party(sql`payout_batches`, sql`account_id`),
      user: party(sql`payout_batches`, sql`created_by`),
      payoutOrder: (id) =>
        sql`select order_id as id from payout_batch_orders where batch_id = ${id} order by row_number limit 50`,
    },
  },
  user: {
    row: (id) => sql`select * from users where id = ${id}`,
    subjects: (id) =>
      sql`(select array['user:' || id, 'user:' || account] from users where id = ${id})::text[]`,
    relations: {
      merchant: (id) => sql`select id from merchants where user_id = ${id}`,
      supplier: (id) => sql`select id from suppliers where user_id = ${id}`,
      approval: (id) => sql`select id from approvals where started_by = ${id} ${NEWEST}`,
    },
  },
};

function subjectOf(kind: 'merchant' | 'supplier' | 'account' | 'message') {
  return {
    [kind]: (id: bigint) => sql`
      select subject_id as id from approvals where id = ${id} and subject_kind = ${kind}`,
  };
}

/** Columns that nobody sees: secrets, sealed values and proofs. */
export const SECRET = /secret|password|token|hash|sealed|credentials|totp|sha256|^bytes$/;

/** Only an account's owner sees these whole (contract, personal-data.ts). */
export const OWNERS_ALONE: ReadonlySet<string> = new Set(['account_number', 'vpa']);

/** Personal data, masked as for technicalMaintenance. */
export const PERSONAL: Readonly<Record<string, (value: string) => string | null>> = {
  user_name: maskName,
  owner_name: maskName,
  payee_name: maskName,
  payer: maskName,
  account_number: maskAccountNumber,
  payee_account: maskAccountNumber,
  vpa: maskVpa,
  payee_vpa: maskVpa,
  payee_address: maskAddress,
  payee_phone: maskPhone,
  text: (value) => maskText(value, null),
  remark: (value) => maskText(value, null),
  // These may hold any of the above. A reason of one word is a code.
  reason: (value) => (/^\w+$/.test(value) ? value : '***'),
  fields: () => '***',
  payload: () => '***',
  payer_whitelist: () => '***',
};
