import { DAY } from '../../platform/clock.ts';
import type { Direction } from '../templates/template.ts';
import type { StatementLine } from './read-statement.ts';

/** A movement of the account that a message reported. */
export interface ReportedMovement {
  readonly messageId: bigint;
  readonly orderId: bigint | null;
  readonly day: string;
  readonly direction: Direction;
  readonly amount: bigint;
  readonly balance: bigint | null;
  readonly reference: string | null;
  readonly text: string;
}

export type Outcome = 'agrees' | 'amountDiffers' | 'missingHere' | 'missingAtBank';

export interface Compared {
  readonly row: number | null;
  readonly day: string;
  readonly narration: string;
  readonly reference: string | null;
  readonly direction: Direction;
  readonly amount: bigint;
  readonly balance: bigint | null;
  readonly outcome: Outcome;
  readonly messageId: bigint | null;
  readonly orderId: bigint | null;
}

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/**
 * Movements by key, in the order they were reported. A search skips each movement that is taken already once. Line by line, 20,000 lines
 * and 20,000 messages of seven sums took 13.5 s; this takes 0.1 s.
 */
class Shelf {
  readonly #open: ReadonlySet<ReportedMovement>;
  readonly #queues = new Map<string, { readonly all: ReportedMovement[]; at: number }>();

  constructor(open: ReadonlySet<ReportedMovement>) {
    this.#open = open;
  }

  put(movement: ReportedMovement, ...key: readonly unknown[]): void {
    const name = key.join(' ');
    const queue = this.#queues.get(name);
    if (queue) queue.all.push(movement);
    else this.#queues.set(name, { all: [movement], at: 0 });
  }

  first(...key: readonly unknown[]): ReportedMovement | undefined {
    const queue = this.#queues.get(key.join(' '));
    if (!queue) return undefined;
    while (queue.at < queue.all.length && !this.#open.has(queue.all[queue.at]!)) queue.at += 1;
    return queue.all[queue.at];
  }
}

/**
 * Finds for each line of the statement the message that reported it: by reference, otherwise by direction and amount within a day. Where
 * several fit, the balance decides. A message serves one line. After the lines come the messages of these days that the statement lacks.
 */
export function compareStatement(
  lines: readonly StatementLine[],
  told: readonly ReportedMovement[],
): Compared[] {
  const open = new Set(told);
  const place = new Map(told.map((movement, index) => [movement, index]));
  const shelf = new Shelf(open);
  for (const movement of told) {
    const { reference, direction, amount, balance, day } = movement;
    if (reference !== null) {
      shelf.put(movement, direction, reference);
      shelf.put(movement, direction, reference, amount);
    }
    shelf.put(movement, reference !== null, direction, amount, day);
    if (balance !== null) shelf.put(movement, reference !== null, direction, amount, day, balance);
  }
  const found = new Map<StatementLine, ReportedMovement>();
  const take = (line: StatementLine, movement: ReportedMovement | undefined): void => {
    if (!movement) return;
    found.set(line, movement);
    open.delete(movement);
  };
  // References first, because a line of the same amount must not take another line's message.
  for (const line of lines) {
    const { direction, reference, amount } = line;
    if (reference !== null)
      take(line, shelf.first(direction, reference, amount) ?? shelf.first(direction, reference));
  }
  for (const line of lines) {
    if (found.has(line)) continue;
    const { direction, amount, balance, day } = line;
    // Two different references are two movements, so a line with a reference only takes a message without one.
    const kinds = line.reference === null ? [false, true] : [false];
    const first = (days: readonly string[], ...more: readonly bigint[]) =>
      days
        .flatMap((each) =>
          kinds.flatMap((named) => shelf.first(named, direction, amount, each, ...more) ?? []),
        )
        .toSorted((a, b) => place.get(a)! - place.get(b)!)[0];
    const near = [dayAfter(day, -1), day, dayAfter(day, 1)];
    take(line, (balance === null ? undefined : first(near, balance)) ?? first([day]) ?? first(near));
  }
  const days = lines.map(({ day }) => day).toSorted();
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return [
    ...lines.map((line): Compared => {
      const movement = found.get(line);
      const outcome = !movement
        ? 'missingHere'
        : movement.amount === line.amount
          ? 'agrees'
          : 'amountDiffers';
      return { ...line, outcome, messageId: movement?.messageId ?? null, orderId: movement?.orderId ?? null };
    }),
    ...[...open]
      .filter(({ day }) => day >= first && day <= last)
      .map(({ text, ...movement }): Compared => ({
        ...movement,
        row: null,
        narration: text,
        outcome: 'missingAtBank',
      })),
  ];
}
