import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A transfer that was signed. Amounts in millionths, times in milliseconds. */
export interface SignedTransfer {
  /** The platform's key of one send. */
  readonly key: string;
  readonly payout: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly txid: string;
  /** The whole signed transaction. */
  readonly hex: string;
  readonly expiration: number;
  readonly signedAt: number;
  /** Business day (`YYYY-MM-DD`) whose limit it counts towards; null when two people released it, because no limit counts it then. */
  readonly day: string | null;
  readonly fate: 'open' | 'paid' | 'failed' | 'dead';
}

/** The first code for a payout's release. It serves the request it was given for. */
export interface FirstCode {
  readonly request: string;
  readonly to: string;
  readonly amount: bigint;
  readonly person: string;
  /** Milliseconds. */
  readonly shownAt: number;
}

/** A payout that two people have released. */
export interface Release {
  readonly to: string;
  readonly amount: bigint;
  readonly first: string;
  readonly second: string;
}

export interface SignerStore {
  readSecrets(): Buffer | undefined;
  writeSecrets(sealed: Buffer): void;
  transfer(key: string): SignedTransfer | undefined;
  /** The transfer of a payout that has paid or may still pay. */
  liveTransfer(payout: string): SignedTransfer | undefined;
  /** All transfers of a payout: the live one first, then the oldest. */
  transfersOf(payout: string): SignedTransfer[];
  hasTransaction(txid: string): boolean;
  insertTransfer(transfer: SignedTransfer): void;
  openTransfers(): SignedTransfer[];
  /** Writes down how a transfer ended; one that was taken for dead may have paid. */
  settle(key: string, fate: 'paid' | 'failed' | 'dead'): void;
  /** Sum of a day's transfers without release, except those that failed or died. */
  usedOn(day: string, from: string): bigint;
  /** Sum of released transfers since a moment, except those that failed or died. */
  releasedSince(moment: number, from: string): bigint;
  /** Notes that this key must never be signed. False: it was signed before. */
  renounce(key: string): boolean;
  isRenounced(key: string): boolean;
  release(payout: string): Release | undefined;
  writeRelease(payout: string, release: Release): void;
  firstCode(payout: string): FirstCode | undefined;
  /** Replaces the first code that the payout had. */
  writeFirstCode(payout: string, code: FirstCode): void;
  /** Uses up a code: true if its time step is later than every step this person has used. */
  useStep(name: string, step: bigint): boolean;
  wrongCodes(name: string, day: string): bigint;
  countWrongCode(name: string, day: string): void;
  close(): void;
}

const SCHEMA = `
  create table if not exists secrets (id integer primary key check (id = 1), sealed blob not null) strict;
  create table if not exists transfers (
    key text primary key, payout text not null, sender text not null, recipient text not null,
    amount integer not null check (amount > 0), txid text not null unique, hex text not null,
    expiration integer not null, signed_at integer not null, day text,
    fate text not null check (fate in ('open', 'paid', 'failed', 'dead'))) strict;
  -- A payout has one transfer that pays or may still: whatever is asked, however often, by whomever.
  create unique index if not exists one_live_transfer on transfers (payout) where fate in ('open', 'paid');
  create index if not exists open_transfers on transfers (key) where fate = 'open';
  create index if not exists transfers_of_day on transfers (day, sender);
  create table if not exists renounced (key text primary key) strict;
  create table if not exists releases (
    payout text primary key, recipient text not null, amount integer not null, first text not null, second text,
    check (second <> first)) strict;
  -- Until 2026-11-28 a first code stood here, without its request: it counts for nothing.
  delete from releases where second is null;
  create table if not exists first_codes (
    payout text primary key, request text not null, recipient text not null, amount integer not null, person text not null,
    shown_at integer not null) strict;
  create table if not exists codes (name text primary key, step integer not null) strict;
  create table if not exists wrong_codes (name text, day text, count integer not null, primary key (name, day)) strict;`;

const COLUMNS = `key, payout, sender as "from", recipient as "to", amount, txid, hex, expiration,
  signed_at as "signedAt", day, fate`;

type Row = Omit<SignedTransfer, 'expiration' | 'signedAt'> & {
  readonly expiration: bigint;
  readonly signedAt: bigint;
};

/**
 * Opens the signer's own file. A write is on the disk before the call is answered (synchronous=FULL). The file belongs to one process: a
 * second signer on it does not start.
 */
export function openSignerStore(file: string): SignerStore {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(file, { readBigInts: true });
  db.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full;');
  db.exec(SCHEMA);
  const all = (text: string, ...values: (string | bigint | number | Buffer | null)[]) =>
    db.prepare(text).all(...values) as unknown[];
  const transfers = (where: string, ...values: string[]): SignedTransfer[] =>
    (all(`select ${COLUMNS} from transfers where ${where}`, ...values) as Row[]).map((row) => ({
      ...row,
      expiration: Number(row.expiration),
      signedAt: Number(row.signedAt),
    }));

  return {
    readSecrets() {
      const [row] = all('select sealed from secrets') as { sealed: Uint8Array }[];
      return row && Buffer.from(row.sealed);
    },
    writeSecrets(sealed) {
      all(
        'insert into secrets (id, sealed) values (1, ?) on conflict (id) do update set sealed = excluded.sealed',
        sealed,
      );
    },
    transfer: (key) => transfers('key = ?', key)[0],
    liveTransfer: (payout) => transfers(`payout = ? and fate in ('open', 'paid')`, payout)[0],
    transfersOf: (payout) =>
      transfers(`payout = ? order by fate in ('open', 'paid') desc, signed_at`, payout),
    hasTransaction: (txid) => transfers('txid = ?', txid).length > 0,
    insertTransfer({ key, payout, from, to, amount, txid, hex, expiration, signedAt, day, fate }) {
      all(
        `insert into transfers (key, payout, sender, recipient, amount, txid, hex, expiration, signed_at, day, fate)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        key,
        payout,
        from,
        to,
        amount,
        txid,
        hex,
        expiration,
        signedAt,
        day,
        fate,
      );
    },
    openTransfers: () => transfers(`fate = 'open' order by key`),
    settle(key, fate) {
      all(`update transfers set fate = ? where key = ? and fate in ('open', 'dead')`, fate, key);
    },
    usedOn(day, from) {
      const [row] = all(
        `select coalesce(sum(amount), 0) as used from transfers where day = ? and sender = ? and fate in ('open', 'paid')`,
        day,
        from,
      ) as { used: bigint }[];
      return row!.used;
    },
    releasedSince(moment, from) {
      const [row] = all(
        `select coalesce(sum(amount), 0) as released from transfers
         where day is null and signed_at >= ? and sender = ? and fate in ('open', 'paid')`,
        moment,
        from,
      ) as { released: bigint }[];
      return row!.released;
    },
    renounce(key) {
      if (transfers('key = ?', key).length > 0) return false;
      all('insert into renounced (key) values (?) on conflict do nothing', key);
      return true;
    },
    isRenounced: (key) => all('select key from renounced where key = ?', key).length > 0,
    release(payout) {
      return all(
        'select recipient as "to", amount, first, second from releases where payout = ?',
        payout,
      )[0] as Release | undefined;
    },
    writeRelease(payout, { to, amount, first, second }) {
      all(
        'insert into releases (payout, recipient, amount, first, second) values (?, ?, ?, ?, ?)',
        payout,
        to,
        amount,
        first,
        second,
      );
    },
    firstCode(payout) {
      const [row] = all(
        'select request, recipient as "to", amount, person, shown_at as "shownAt" from first_codes where payout = ?',
        payout,
      ) as (Omit<FirstCode, 'shownAt'> & { readonly shownAt: bigint })[];
      return row && { ...row, shownAt: Number(row.shownAt) };
    },
    writeFirstCode(payout, { request, to, amount, person, shownAt }) {
      all(
        `insert or replace into first_codes (payout, request, recipient, amount, person, shown_at)
         values (?, ?, ?, ?, ?, ?)`,
        payout,
        request,
        to,
        amount,
        person,
        shownAt,
      );
    },
    useStep(name, step) {
      const taken = all(
        `insert into codes (name, step) values (?, ?)
         on conflict (name) do update set step = excluded.step where excluded.step > codes.step returning step`,
        name,
        step,
      );
      return taken.length > 0;
    },
    wrongCodes(name, day) {
      const [row] = all('select count from wrong_codes where name = ? and day = ?', name, day) as {
        count: bigint;
      }[];
      return row?.count ?? 0n;
    },
    countWrongCode(name, day) {
      all(
        `insert into wrong_codes (name, day, count) values (?, ?, 1)
         on conflict (name, day) do update set count = count + 1`,
        name,
        day,
      );
    },
    close: () => db.close(),
  };
}
