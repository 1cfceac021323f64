import type { Direction } from '../templates/template.ts';
import type { StatementLine } from './read-statement.ts';

/** A movement a message told of the account. */
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

const DAY_MS = 24 * 60 * 60 * 1_000;
const daysApart = (a: string, b: string): number => Math.abs(Date.parse(a) - Date.parse(b)) / DAY_MS;

/**
 * Each line of the statement beside the message that told it: by reference, else by direction and amount within a day,
 * balance deciding where several fit. A message serves one line. What only messages tell within the statement's days follows.
 */
export function compareStatement(
  lines: readonly StatementLine[],
  told: readonly ReportedMovement[],
): Compared[] {
  const open = new Set(told);
  const found = new Map<StatementLine, ReportedMovement>();
  const take = (line: StatementLine, movement: ReportedMovement | undefined): void => {
    if (!movement) return;
    found.set(line, movement);
    open.delete(movement);
  };
  // Whole references first: a line of the same amount must not take away another line's message.
  for (const line of lines) {
    const same = [...open].filter(
      ({ reference, direction }) =>
        reference !== null && reference === line.reference && direction === line.direction,
    );
    take(line, same.find(({ amount }) => amount === line.amount) ?? same[0]);
  }
  for (const line of lines) {
    if (found.has(line)) continue;
    const alike = [...open].filter(
      ({ reference, direction, amount, day }) =>
        direction === line.direction &&
        amount === line.amount &&
        daysApart(day, line.day) <= 1 &&
        (reference === null || line.reference === null),
    );
    take(
      line,
      alike.find(({ balance }) => balance !== null && balance === line.balance) ??
        alike.find(({ day }) => day === line.day) ??
        alike[0],
    );
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
