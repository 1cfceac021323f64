import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoMerchant } from '../../demo-file.ts';
import type { Person } from './people.ts';
import { callerFrom, MERCHANT_API, newOrder, signed } from './wire.ts';
import { ADDRESSES } from './network.ts';

/** Pause between two calls of one kind. */
const PACE_MS = 100;

export interface Served {
  /** The 95th percentile in milliseconds. */
  readonly create: number;
  readonly list: number;
  readonly calls: number;
  readonly failed: readonly string[];
}

/** An honest merchant creates orders and a staff member reads lists while `work` runs. */
export async function beside(
  merchant: DemoMerchant,
  person: Person,
  work: () => Promise<unknown>,
): Promise<Served> {
  let isOver = false;
  const times = { create: [] as number[], list: [] as number[] };
  const failed: string[] = [];
  const caller = callerFrom(ADDRESSES.merchant);
  const calls: Promise<unknown>[] = [];
  const note = async (kind: 'create' | 'list', call: ReturnType<typeof caller.ask>) => {
    try {
      const { ms, code, text } = await call;
      times[kind].push(ms);
      if (code !== 200) failed.push(`${kind}: ${text.slice(0, 200)}`);
    } catch (error) {
      failed.push(`${kind}: ${String(error)}`);
    }
  };
  const going = (async () => {
    for (; !isOver; await sleep(PACE_MS)) {
      const path = MERCHANT_API.create;
      calls.push(note('create', caller.ask({ path, body: signed(merchant, path, newOrder()) })));
      calls.push(note('list', person.get('/v1.0/order/getList')));
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await going;
    await Promise.all(calls);
    caller.close();
  }
  return {
    create: p95(times.create),
    list: p95(times.list),
    calls: times.create.length + times.list.length,
    failed,
  };
}

const p95 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0;
