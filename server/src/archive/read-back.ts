import { businessDay } from '@sangam/contract/time.ts';
import { openArchive, readFrame } from './file.ts';
import { textsOf } from './lines.ts';
import type { Archive, FrameRow } from './store.ts';
import { type ArchivedTable, isOrders, type OrderSum } from './tables.ts';

export interface ReadBack {
  readonly rowCount: number;
  readonly idSum: bigint;
  readonly sums: readonly OrderSum[];
}

interface Written {
  readonly columns: readonly string[];
  readonly frames: readonly FrameRow[];
}

/** Counts what the file on the disk holds, from its lines. Throws when the file is not as it was written. */
export async function readBack(
  folder: string,
  { table, file: name }: Archive,
  { columns, frames }: Written,
): Promise<ReadBack> {
  const file = await openArchive(folder, name);
  try {
    let [rowCount, idSum] = [0, 0n];
    const sums = isOrders(table) ? new OrderSums(table, columns) : undefined;
    // The next piece is unpacked while this one is counted.
    let next = frames[0] && readFrame(file, frames[0]);
    for (const [index, frame] of frames.entries()) {
      const bytes = await next!;
      const following = frames[index + 1];
      if (following) {
        next = readFrame(file, following);
        // The failure is thrown where the promise is awaited.
        next.catch(() => undefined);
      }
      const counted = countIds(bytes);
      if (counted.rows !== frame.rowCount) throw new Error(`piece ${frame.number} of ${name} lost rows`);
      rowCount += counted.rows;
      idSum += counted.sum;
      if (sums) for (const line of bytes.toString().split('\n')) sums.add(textsOf(line));
    }
    return { rowCount, idSum, sums: sums?.list() ?? [] };
  } finally {
    await file.close();
  }
}

const [NEWLINE, ZERO] = [10, 48];
/** Numbers of this many digits are exact in JavaScript, and so is the sum of a frame's numbers. */
const EXACT = 9;

/** The number of lines, and the sum of the ids. Each line begins with `["` and the id. */
function countIds(bytes: Buffer): { readonly rows: number; readonly sum: bigint } {
  let [rows, high, low] = [0, 0, 0];
  for (let at = 0; ;) {
    at += 2;
    let end = at;
    while (bytes[end]! >= ZERO) end += 1;
    const cut = Math.max(at, end - EXACT);
    high += numberOf(bytes, at, cut);
    low += numberOf(bytes, cut, end);
    rows += 1;
    const newline = bytes.indexOf(NEWLINE, end);
    if (newline === -1) return { rows, sum: BigInt(high) * 10n ** BigInt(EXACT) + BigInt(low) };
    at = newline + 1;
  }
}

function numberOf(bytes: Buffer, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) value = value * 10 + bytes[at]! - ZERO;
  return value;
}

interface Counted {
  readonly day: string;
  readonly merchantId: string;
  readonly currency: string;
  count: number;
  amount: bigint;
  moved: bigint;
}

/** Sums of orders by day, merchant and currency, counted from their texts. */
class OrderSums {
  readonly #sums = new Map<string, Counted>();
  readonly #table: ArchivedTable;
  readonly #places: Readonly<
    Record<'merchant' | 'currency' | 'amount' | 'received' | 'status' | 'created', number>
  >;
  #day = ['', ''];

  constructor(table: ArchivedTable, columns: readonly string[]) {
    this.#table = table;
    const place = (name: string) => columns.indexOf(name);
    this.#places = {
      merchant: place('merchant_id'),
      currency: place('currency'),
      amount: place('amount'),
      received: place('received'),
      status: place('status'),
      created: place('created_at'),
    };
  }

  add(order: readonly (string | null)[]): void {
    const at = this.#places;
    const [merchantId, currency] = [order[at.merchant]!, order[at.currency]!];
    const day = this.#dayOf(order[at.created]!);
    const key = `${day} ${merchantId} ${currency}`;
    const sum = this.#sums.get(key) ?? { day, merchantId, currency, count: 0, amount: 0n, moved: 0n };
    this.#sums.set(key, sum);
    const amount = BigInt(order[at.amount]!);
    sum.count += 1;
    sum.amount += amount;
    if (this.#table === 'collection_orders') sum.moved += BigInt(order[at.received] ?? 0);
    else if (order[at.status] === '3') sum.moved += amount;
  }

  list(): OrderSum[] {
    return [...this.#sums.values()]
      .toSorted(
        (a, b) =>
          a.day.localeCompare(b.day) ||
          Number(a.merchantId) - Number(b.merchantId) ||
          (a.currency < b.currency ? -1 : 1),
      )
      .map(({ amount, moved, ...sum }) => ({ ...sum, amount: String(amount), moved: String(moved) }));
  }

  /** Orders of the same minute follow each other, so the last result is kept. */
  #dayOf(created: string): string {
    const minute = created.slice(0, 16);
    if (this.#day[0] !== minute) this.#day = [minute, businessDay(new Date(`${minute.replace(' ', 'T')}Z`))];
    return this.#day[1]!;
  }
}
