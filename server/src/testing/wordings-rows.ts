import { SEED, runsOf } from './seed.ts';
import { type Row, rowOf, stepsOf } from './step-rows.ts';

/**
 * What may happen to one or two payments of one sum, in every order: messages of the bank, cut into reports in every way, and what people
 * do in between.
 */

export type Payment = 'P' | 'Q';

const MESSAGES = [
  // The bank's texts: with the UTR, without, and without but with an order's code.
  'P stated',
  'P bare',
  'P coded',
  // Debits of the same sum: one with the payment's UTR, one with a number of its own whose text names that UTR.
  'P reversal',
  'P namingReversal',
  // The bank credits P again under its UTR.
  'P again',
  'Q stated',
  'Q bare',
  'Q coded',
] as const;
export type Message = (typeof MESSAGES)[number];

const ACTIONS = [
  // The desk completes an order by the UTR.
  'P help',
  'Q help',
  // A payer types the UTR into another order.
  'P type',
  // The desk joins the oldest open message to the newest order.
  'P join',
  // Two people settle the oldest open message outside the platform.
  'P settle',
  // Two people reverse the first paid order.
  'undo',
  // An admin freezes the oldest order, and unfreezes it.
  'freeze',
  'unfreeze',
  // Messages that link to a broken chain.
  'chain',
] as const;
export type Action = (typeof ACTIONS)[number];

/** A report, or an action. */
export type Step = readonly Message[] | Action;

export const isReversal = (message: Message) => message.endsWith('eversal');
/** The payment that a message or an action is about. */
export const paymentOf = (thing: Message | Action) => thing[0] as Payment;

const OF_ONE: readonly (readonly Message[])[] = [
  ['P stated', 'P bare'],
  ['P stated', 'P coded'],
  ['P stated', 'P bare', 'P coded'],
  ['P stated', 'P reversal'],
  ['P stated', 'P namingReversal'],
  ['P stated', 'P bare', 'P reversal'],
  ['P stated', 'P coded', 'P reversal'],
  ['P stated', 'P bare', 'P namingReversal'],
  ['P stated', 'P coded', 'P namingReversal'],
  ['P stated', 'P reversal', 'P again'],
  ['P stated', 'P namingReversal', 'P again'],
];
const OF_TWO: readonly (readonly Message[])[] = [
  ['P bare', 'Q bare'],
  ['P stated', 'P bare', 'Q bare'],
  ['P stated', 'P bare', 'Q stated'],
  ['P stated', 'P bare', 'Q coded'],
  ['P stated', 'Q stated', 'Q coded'],
  ['P bare', 'Q stated', 'Q bare'],
  ['P stated', 'P bare', 'P reversal', 'Q bare'],
];

export interface WordingShop {
  /** The bank's texts name the minute and a balance, or the day alone. */
  readonly texts: 'minute' | 'day';
  /** What keeps credits from being matched at once. */
  readonly keeps?: 'delay' | 'chain';
  /** The texts about P that name its payer. A name list has that payer. */
  readonly listed?: 'stated' | 'bare';
}
const SHOPS: readonly WordingShop[] = [
  { texts: 'day' },
  { texts: 'minute' },
  { texts: 'day', keeps: 'delay' },
  { texts: 'minute', keeps: 'delay' },
  { texts: 'minute', keeps: 'chain' },
  { texts: 'day', listed: 'stated' },
  { texts: 'minute', listed: 'bare' },
  { texts: 'day', keeps: 'delay', listed: 'bare' },
  { texts: 'minute', keeps: 'chain', listed: 'stated' },
  { texts: 'minute', keeps: 'chain', listed: 'bare' },
];

/** Minutes between two steps: within a minute; orders in their grace; after it; the next day. */
const GAPS = [0.5, 20, 180, 1560] as const;

export type WordingRow = Row<Step>;

export interface Block {
  readonly shop: WordingShop;
  /** Minutes. */
  readonly gap: number;
  readonly rows: readonly WordingRow[];
}

const AT_ONCE = 100;

/** Every row with so many actions, of every shop and gap, in blocks. */
function allBlocks(actions: readonly number[]): (() => Block)[] {
  return SHOPS.flatMap((shop) => {
    const rows = rowsOf(shop, actions);
    return GAPS.flatMap((gap) =>
      Array.from({ length: Math.ceil(rows.length / AT_ONCE) }, (_, index) => () => ({
        shop,
        gap,
        rows: rows.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
      })),
    );
  });
}

/** The blocks of this run, together about as many rows as `usual`. A run of the following seeds has the following rows. */
export function blocksOf(usual: number): Block[] {
  const kinds = [allBlocks([0, 1]), allBlocks([2])];
  const first = Math.floor(SEED / AT_ONCE);
  return Array.from({ length: Math.ceil(runsOf(usual) / AT_ONCE) }, (_, index) => {
    const number = first + index;
    const all = kinds[number % kinds.length]!;
    return all[(Math.floor(number / kinds.length) * STRIDE) % all.length]!();
  });
}

/** So many blocks apart, each run has all shops and gaps. A prime number: the runs of all seeds have all rows. */
const STRIDE = 7_919;

function rowsOf({ keeps, listed }: WordingShop, actions: readonly number[]): WordingRow[] {
  const possible = ACTIONS.filter((action) => action !== 'chain' || keeps === 'chain');
  const stories = listed ? OF_ONE : [...OF_ONE, ...OF_TWO];
  const found = stories.flatMap((story) => {
    const hasQ = story.some((message) => paymentOf(message) === 'Q');
    const may = possible.filter((action) => hasQ || action !== 'Q help');
    // Two actions around four messages would be most of all rows.
    const two =
      story.length > 3 ? [] : may.flatMap((one, index) => may.slice(index).map((other) => [one, other]));
    const sets = [[], ...may.map((action) => [action]), ...two].filter(({ length }) =>
      actions.includes(length),
    );
    return sets.flatMap((set) =>
      ordersOf<Message | Action>([...story, ...set]).flatMap((things) =>
        stepsOf<Message, Action>(things, isMessage),
      ),
    );
  });
  const named = found.map(rowOf);
  return [...new Map(named.map((row) => [row.name, row])).values()];
}

/** All orders of some things. */
const ordersOf = <Thing>(things: readonly Thing[]): Thing[][] =>
  things.length === 0
    ? [[]]
    : things.flatMap((first, at) => ordersOf(things.toSpliced(at, 1)).map((rest) => [first, ...rest]));

const isMessage = (thing: Message | Action): thing is Message =>
  (MESSAGES as readonly (Message | Action)[]).includes(thing);
