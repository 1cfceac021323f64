import { SEED, runsOf } from './seed.ts';
import { type Row, rowOf, stepsOf } from './step-rows.ts';

/** What may happen to two payouts of one sum, in every order: messages of the bank, cut into reports in every way, and what people do. */

export type Payment = 'P' | 'Q' | 'X';
export type Which = 'A' | 'B';

const MESSAGES = [
  // Debits in the bank's texts: with the UTR, and without.
  'P stated',
  'P bare',
  'Q stated',
  'Q bare',
  // A debit of another sum.
  'X stated',
  // Credits of the same sum: with the debit's UTR, with a number of their own whose text names it, and with nothing but the sum.
  'P return',
  'P namingReturn',
  'P plainReturn',
] as const;
export type Message = (typeof MESSAGES)[number];

const ACTIONS = [
  // Who has the payout confirms it with a UTR; I is invented.
  'A says P',
  'A says Q',
  'A says I',
  'A says X',
  'A names P',
  'B says P',
  'B says Q',
  'B says I',
  // The desk does, by two people where asked.
  'A desk P',
  'B desk P',
  'A desk I',
  // Who has it gives it back.
  'A gives',
  'B gives',
  'A refund',
  'B refund',
  'A rival',
  'B rival',
  'A freeze',
  'A unfreeze',
  'B freeze',
  'B unfreeze',
  'A undo',
  'B undo',
  'A accept',
  'B accept',
  // The bank's result file.
  'B file fails',
  'B file Q',
  'B file P',
  'B file paid',
  'B again',
] as const;
export type Action = (typeof ACTIONS)[number];

export type Step = readonly Message[] | Action;
export const isReturn = (message: Message) => message.endsWith('eturn');
export const paymentOf = (message: Message) => message[0] as Payment;

const STORIES: readonly (readonly Message[])[] = [
  ['P stated'],
  ['P stated', 'P bare'],
  ['P stated', 'P return'],
  ['P stated', 'P namingReturn'],
  ['P stated', 'P plainReturn'],
  ['P stated', 'P bare', 'P return'],
  ['P stated', 'X stated'],
  ['P stated', 'Q stated'],
  ['P bare', 'Q stated'],
  ['P stated', 'P bare', 'Q stated'],
  ['P stated', 'P return', 'Q stated'],
  ['P stated', 'P namingReturn', 'Q stated'],
  ['P stated', 'P plainReturn', 'Q stated'],
];

export interface DebitShop {
  /** Who has A and B at the beginning. */
  readonly has: 'claims' | 'rivals' | 'claimAndFile' | 'files' | 'waits';
  /** The texts name the second, or the day alone. */
  readonly texts: 'minute' | 'day';
  /** The texts name the payee's account. */
  readonly digits: boolean;
  /** Credits wait for a minute. */
  readonly delay: boolean;
}
const SHOPS: readonly DebitShop[] = (['claims', 'rivals', 'claimAndFile', 'files', 'waits'] as const).flatMap(
  (has, index) =>
    (['minute', 'day'] as const).flatMap((texts) => [
      { has, texts, digits: false, delay: index % 2 === 0 },
      { has, texts, digits: true, delay: index % 2 === 1 },
    ]),
);

/** Minutes between two steps. */
const GAPS = [0.5, 20, 1560] as const;

export type DebitRow = Row<Step>;

export interface Block {
  readonly shop: DebitShop;
  readonly gap: number;
  readonly rows: readonly DebitRow[];
}
const AT_ONCE = 50;

const isMessage = (thing: Message | Action): thing is Message =>
  (MESSAGES as readonly (Message | Action)[]).includes(thing);

/** A seeded pick, so that a run of one seed has the same rows. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function pickRow(shop: DebitShop, next: () => number): DebitRow {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)]!;
  const hasFile = shop.has === 'files' || shop.has === 'claimAndFile';
  const may = ACTIONS.filter((action) => hasFile || !/file|again/.test(action));
  const things: (Message | Action)[] = [...pick(STORIES)];
  if (things.includes('X stated')) things.push('A says X');
  const count = 1 + Math.floor(next() * 4);
  for (let n = 0; n < count; n += 1) things.push(pick(may));
  for (let n = things.length - 1; n > 0; n -= 1) {
    const at = Math.floor(next() * (n + 1));
    [things[n], things[at]] = [things[at]!, things[n]!];
  }
  return rowOf(pick(stepsOf<Message, Action>(things, isMessage)));
}

export function* blocksOf(usual: number): Generator<Block> {
  const runs = runsOf(usual);
  for (let n = 0; n * AT_ONCE < runs; n += 1) {
    const number = Math.floor(SEED / AT_ONCE) + n;
    const next = random(number * 7_919 + 17);
    const shop = SHOPS[(number * 7) % SHOPS.length]!;
    const gap = GAPS[number % GAPS.length]!;
    yield { shop, gap, rows: Array.from({ length: AT_ONCE }, () => pickRow(shop, next)) };
  }
}
