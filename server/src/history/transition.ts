import { createHash } from 'node:crypto';
import { type Sql, type Tx, hot, join, raw, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Columns, unnestRows } from '../platform/db/unnest-rows.ts';
import { type OrderEvent, writeEvents } from './events.ts';

/** One step of an order's status, with its event. `from` is the status under the order's lock. */
export interface Step<Status extends number> extends OrderEvent {
  readonly from: Status;
  readonly to: Status;
}

/** Columns that change with the status. */
type Values<Column extends string> = Readonly<Partial<Record<Column, unknown>>>;

const NOTHING: Readonly<Partial<Record<never, unknown>>> = {};

export interface Transitions<Status extends number, Column extends string> {
  /**
   * Moves locked orders to another status and writes their history, in the caller's transaction. `set`: further columns to
   * change, for all orders or for each; the same columns for all. Several steps of one order are written in the given order,
   * and the last status stays. A step from a status to itself changes no status. Throws for a step that the table does not
   * have.
   */
  readonly transition: (
    platform: Platform,
    tx: Tx,
    steps: readonly Step<Status>[],
    set?: Values<Column> | ((orderId: bigint) => Values<Column>),
  ) => Promise<void>;
  /**
   * Moves those of the given orders that have the status `from`, in the statement that locks them; answers them. The caller
   * writes their history. `set`: further columns to change, the same for all. For sweeps, where locking first would take a
   * third of the time.
   */
  readonly transitionFrom: (
    tx: Tx,
    orderIds: readonly bigint[],
    from: Status,
    to: Status,
    set?: (orderId: bigint) => Values<Column>,
  ) => Promise<ReadonlySet<bigint>>;
}

/** A statement's name. The columns are a digest in it, because a name has at most 63 letters. */
const nameOf = (table: string, step: string, columns: readonly string[]) =>
  `${table} ${step} ${createHash('sha256').update(columns.join()).digest('base64url').slice(0, 22)}`;

/**
 * The only code that changes the status of orders of `table`: every step is one of `allowed`. `columns`: the columns that may
 * change with the status, with their types.
 */
export function transitionsOf<Status extends number, Column extends string>(
  table: 'collection_orders' | 'payout_orders',
  allowed: Readonly<Record<Status, readonly Status[]>>,
  columns: Columns<Column>,
): Transitions<Status, Column> {
  const assertStep = (from: Status, to: Status) => {
    if (!allowed[from].includes(to)) throw new Error(`${table}: no step leads from ${from} to ${to}`);
  };
  /** A table `v` of new values, one row an order. */
  const valuesOf = (
    names: readonly Column[],
    ids: readonly bigint[],
    values: readonly Values<Column>[],
    last?: ReadonlyMap<bigint, Status>,
  ): Sql => {
    const written = Object.fromEntries(names.map((name) => [name, columns[name]]));
    const status: Columns<string> = last ? { status: 'smallint' } : {};
    const types: Columns<string> = { id: 'bigint', ...status, ...written };
    return unnestRows(
      types,
      ids.map((id, index) => ({ id, status: last?.get(id), ...values[index] })),
    );
  };
  const assignments = (names: readonly string[]) => join(names.map((name) => raw(`${name} = v.${name}`)));
  return {
    async transition(platform, tx, steps, set) {
      if (steps.length === 0) return;
      for (const { from, to } of steps) if (from !== to) assertStep(from, to);
      const last = new Map(steps.map(({ orderId, to }) => [orderId, to]));
      const ids = [...last.keys()];
      const values = ids.map((id): Values<Column> =>
        typeof set === 'function' ? set(id) : (set ?? NOTHING),
      );
      const names = Object.keys(values[0]!) as Column[];
      if (names.length > 0 || steps.some(({ from, to }) => from !== to)) {
        tx.send(
          hot(
            nameOf(table, 'move', names),
            sql`update ${raw(table)} o set ${assignments(['status', ...names])}
              from ${valuesOf(names, ids, values, last)}
              where o.id = v.id and o.id = any(${ids})`,
          ),
        );
      }
      await writeEvents(platform, tx, steps);
    },
    async transitionFrom(tx, orderIds, from, to, set) {
      if (orderIds.length === 0) return new Set();
      assertStep(from, to);
      const values = set ? orderIds.map((id) => set(id)) : [];
      const names = Object.keys(values[0] ?? NOTHING) as Column[];
      const changed = sql`o.id = any(${orderIds}) and o.status = ${from} returning o.id`;
      const rows = await tx.query<{ id: bigint }>(
        hot(
          nameOf(table, `${from} to ${to}`, names),
          set
            ? sql`update ${raw(table)} o set status = ${to}, ${assignments(names)}
                from ${valuesOf(names, orderIds, values)}
                where o.id = v.id and ${changed}`
            : sql`update ${raw(table)} o set status = ${to} where ${changed}`,
        ),
      );
      return new Set(rows.map(({ id }) => id));
    },
  };
}
