import { expect, test } from 'vitest';
import { gapsOf } from './gaps.ts';
import { Graph } from './graph.ts';
import { passes } from './judge.ts';
import { newNode } from './place.ts';

/** The worked examples of docs/domain.md#worked-examples, messages one after the other. Amounts in rupees. */

/** Amount, stated balance, and the minute if it is not the default. */
type Told = readonly [amount: number, balance: number, minute?: number];

interface Example {
  readonly name: string;
  /** The balance of the message before, which is the account's first. */
  readonly tail: number;
  readonly told: readonly Told[];
  /** The state of each message, in the order they are reported. */
  readonly states: readonly string[];
  readonly gaps: readonly number[];
  /** Balances along the chain, if their order is not that of the reports. */
  readonly order?: readonly number[];
}

const EXAMPLES: readonly Example[] = [
  { name: 'a credit links', tail: 20_000, told: [[4_000, 24_000]], states: ['linked'], gaps: [] },
  { name: 'a debit links', tail: 24_000, told: [[-250, 23_750]], states: ['linked'], gaps: [] },
  {
    name: 'a missing credit is a gap of its sum',
    tail: 10_000,
    told: [[500, 11_200]],
    states: ['pending'],
    gaps: [700],
  },
  {
    name: 'a blind forgery fits nothing and is passed over: an orphan',
    tail: 10_000,
    told: [
      [900, 10_450],
      [500, 10_500],
    ],
    states: ['orphan', 'linked'],
    gaps: [],
  },
  {
    name: 'an insider’s forgery looks linked until the next real message',
    tail: 10_000,
    told: [[900, 10_900]],
    states: ['linked'],
    gaps: [],
  },
  {
    name: 'then both claim one place',
    tail: 10_000,
    told: [
      [900, 10_900],
      [500, 10_500],
    ],
    states: ['fork', 'fork'],
    gaps: [],
  },
  {
    name: 'and the one that goes on holds it',
    tail: 10_000,
    told: [
      [900, 10_900],
      [500, 10_500],
      [100, 10_600],
    ],
    states: ['fork', 'linked', 'linked'],
    gaps: [],
  },
  {
    name: 'a burst within one minute comes shuffled and is put in order',
    tail: 10_000,
    told: [
      [500, 11_500, 5],
      [1_000, 11_000, 5],
    ],
    states: ['linked', 'linked'],
    gaps: [],
    order: [10_000, 11_000, 11_500],
  },
  {
    name: 'a closed loop of forgeries is invisible to balances',
    tail: 10_000,
    told: [
      [900, 10_900],
      [-900, 10_000],
      [500, 10_500],
    ],
    states: ['linked', 'linked', 'linked'],
    gaps: [],
  },
  {
    name: 'a movement told again, in another wording, is no rival of the first',
    tail: 10_000,
    told: [
      [500, 10_500, 1],
      [500, 10_500, 2],
      [100, 10_600, 3],
    ],
    states: ['linked', 'repeat', 'linked'],
    gaps: [],
  },
  {
    name: 'nor once the chain went on',
    tail: 10_000,
    told: [
      [500, 10_500, 1],
      [100, 10_600, 2],
      [500, 10_500, 1],
      [50, 10_650, 4],
    ],
    states: ['linked', 'linked', 'repeat', 'linked'],
    gaps: [],
  },
  {
    name: 'the same sum to the same balance is another movement where money left between',
    tail: 10_000,
    told: [
      [500, 10_500, 1],
      [500, 10_500, 2],
      [-500, 10_000, 2],
      [100, 10_600, 3],
    ],
    states: ['linked', 'linked', 'linked', 'linked'],
    gaps: [],
  },
  {
    name: 'and is a rival where its time is another',
    tail: 10_000,
    told: [
      [500, 10_500, 1],
      [500, 10_500, 9],
      [100, 10_600, 10],
    ],
    states: ['fork', 'linked', 'linked'],
    gaps: [],
  },
];

const rupees = (sum: number) => BigInt(sum) * 100n;

function place(tail: number, told: readonly Told[]): Graph {
  const graph = new Graph([], true);
  const all: readonly Told[] = [[1, tail, 0], ...told];
  all.forEach(([amount, balance, minute], index) =>
    graph.add([
      newNode({
        id: BigInt(index),
        accountId: 1n,
        kind: 'message',
        amount: rupees(amount),
        balance: rupees(balance),
        minute: minute ?? index,
      }),
    ]),
  );
  return graph;
}

test.each(EXAMPLES)('$name', ({ tail, told, states, gaps, order }) => {
  const graph = place(tail, told);
  expect(told.map((_, index) => graph.get(BigInt(index + 1))!.state)).toEqual(states);
  expect(gapsOf(graph).gaps.map(({ delta }) => delta)).toEqual(gaps.map(rupees));
  if (order) expect(graph.nodes.map(({ balance }) => balance)).toEqual(order.map(rupees));
});

test('an insider’s large forgery never passes: the message after it that the check asks for links to another', () => {
  const demands = {
    minReliableChainSize: 3,
    minReliableCheckSize: 3,
    minReliableCheckTimeRange: 720,
    minReliableCheckAmount: rupees(10_000),
  };
  const before: readonly Told[] = [
    [100, 10_100],
    [100, 10_200],
    [100, 10_300],
  ];
  const large: Told = [20_000, 30_300];
  const verdicts = (after: readonly Told[]) => {
    const graph = place(10_000, [...before, large, ...after]);
    return passes(graph, graph.get(4n)!, demands);
  };
  expect(verdicts([])).toBe(false);
  // Forged: the account continues from the balance before it.
  expect(verdicts([[100, 10_400]])).toBe(false);
  expect(
    verdicts([
      [100, 10_400],
      [100, 10_500],
    ]),
  ).toBe(false);
  // Genuine: the account continues from its balance.
  expect(verdicts([[100, 30_400]])).toBe(true);
});

/** A movement of a bank that names no time: its minute is that of the device. */
const coarse = (id: number, amount: number, balance: number, minute: number) =>
  newNode({
    id: BigInt(id),
    accountId: 1n,
    kind: 'message',
    amount: rupees(amount),
    balance: rupees(balance),
    minute,
    isCoarse: true,
  });

test.each(['before', 'after'])('a late message beside a hole hides no gap: the one %s it', (side) => {
  const late = side === 'before' ? 3 : 4;
  const told = [
    coarse(1, 100, 10_000, 1),
    coarse(2, 100, 10_100, 2),
    coarse(3, 100, 10_200, 3),
    // 700 are missing here.
    coarse(4, 100, 11_000, 4),
    coarse(5, 100, 11_100, 5),
    coarse(6, 100, 11_200, 6),
    coarse(7, 100, 11_300, 9),
  ];
  const graph = new Graph([], true);
  for (const node of told.filter(({ id }) => Number(id) !== late)) graph.add([node]);
  graph.add([{ ...told[late - 1]!, minute: 8 }]);
  expect(gapsOf(graph).gaps.map(({ tail, head, delta }) => [tail.id, head.id, delta])).toEqual([
    [3n, 4n, rupees(700)],
  ]);
});

test('a patch after a forgery does not make it the one that goes on', () => {
  const graph = place(10_000, [
    [900, 10_900],
    [500, 10_500],
    [100, 10_600],
  ]);
  graph.add([
    newNode({
      id: 9n,
      accountId: 1n,
      kind: 'patch',
      patchId: 1n,
      amount: rupees(-400),
      balance: rupees(10_500),
      minute: 1,
    }),
  ]);
  expect([1n, 2n, 3n].map((id) => graph.get(id)!.state)).toEqual(['fork', 'linked', 'linked']);
});

test('movements that bring a balance back are not linked to a ring, also if the window shows only a part', () => {
  const outside = coarse(1, 100, 10_000, 1);
  const after = { ...coarse(2, 200, 10_200, 2), previous: outside.id };
  // Reported late: its successor stands before it, outside the window.
  const late = { ...coarse(3, 50, 9_900, 2), next: outside.id };
  const graph = new Graph([after, late], false);
  graph.add([coarse(4, -350, 9_850, 2)]);
  const ends = [2n, 3n, 4n].map((id) => graph.get(id)!).map(({ next, previous }) => [previous, next]);
  expect(ends.flat().filter((id) => id === null)).toHaveLength(2);
  expect(graph.isPassedOver(2, 2)).toBeDefined();
});

test('a run within another chain is not the predecessor of the next chain', () => {
  const graph = new Graph([], true);
  graph.add([coarse(1, 100, 10_000, 1), coarse(2, 100, 10_100, 2), coarse(3, 100, 10_200, 5)]);
  // Forged: it fits nothing.
  graph.add([coarse(4, 900, 50_000, 3)]);
  graph.add([coarse(5, 100, 11_000, 6), coarse(6, 100, 11_100, 7)]);
  expect(gapsOf(graph).gaps.map(({ tail, head, delta }) => [tail.id, head.id, delta])).toEqual([
    [3n, 5n, rupees(700)],
  ]);
});

test('runs of a bank that names no time follow each other though messages are shuffled over the turn of a minute', () => {
  const graph = new Graph([], true);
  const told = [
    coarse(1, 100, 10_000, 1),
    // The end of the first run, whose beginning is reported in the next minute. So the run seems to go on until after the others.
    coarse(2, 50, 10_250, 7),
    coarse(3, 30, 10_330, 7),
    coarse(4, 70, 10_480, 7),
    coarse(5, 20, 10_500, 7),
    coarse(6, 10, 10_340, 8),
    coarse(7, 80, 10_200, 8),
    coarse(8, 5, 10_700, 8),
  ];
  for (const node of told) graph.add([node]);
  const { gaps } = gapsOf(graph);
  // Nobody knows which of two runs of one minute came first. All deltas together are the money that no message reported.
  expect(gaps.map(({ head }) => head.id).toSorted((a, b) => Number(a - b))).toEqual([3n, 4n, 7n, 8n]);
  expect(gaps.reduce((sum, { delta }) => sum + delta, 0n)).toBe(rupees(120 + 50 + 70 + 195));
});

test('a run whose beginning is reported a minute after its end is still the predecessor of the next run', () => {
  const told = ([id, amount, balance, minute]: readonly [number, number, number, number]) =>
    newNode({
      id: BigInt(id),
      accountId: 1n,
      kind: 'message',
      patchId: null,
      amount: rupees(amount),
      balance: rupees(balance),
      minute,
    });
  const graph = new Graph([], true);
  for (const node of [
    told([1, 60, 10_060, 1]),
    told([2, 30, 10_090, 1]),
    told([3, 60, 10_220, 1]),
    told([4, 80, 10_300, 2]),
    told([5, 100, 10_000, 2]),
    told([6, 10, 10_310, 3]),
  ])
    graph.add([node]);
  expect(gapsOf(graph).gaps.map(({ tail, head, delta }) => [tail.id, head.id, delta])).toEqual([
    [2n, 3n, rupees(70)],
  ]);
});

const SMS = { accountId: 1n, kind: 'message', isCoarse: true } as const;

/** Movements of +1 rupee in these minutes, starting at this balance. */
const run = (firstId: number, balance: number, minutes: readonly number[]) =>
  minutes.map((minute, index) =>
    newNode({
      id: BigInt(firstId + index),
      accountId: 1n,
      kind: 'message',
      amount: rupees(1),
      balance: rupees(balance + index),
      minute,
    }),
  );

const PASSES = {
  minReliableChainSize: 5,
  minReliableCheckSize: 3,
  minReliableCheckTimeRange: 720,
  minReliableCheckAmount: rupees(10_000),
};

test('where forgeries begin in the same hole as the genuine messages, neither passes while they take turns', () => {
  const graph = new Graph(run(1, 10_000, [1, 2, 3, 4, 5]), true);
  const genuine = run(10, 20_000, [11, 13, 15, 17, 18, 19, 20]);
  const forged = run(20, 90_000, [10, 12, 14, 16]);
  graph.add([...genuine, ...forged]);
  const passing = (nodes: readonly { id: bigint }[]) =>
    nodes.filter(({ id }) => passes(graph, graph.get(id)!, PASSES)).map(({ id }) => Number(id));
  expect(passing(forged)).toEqual([]);
  expect(passing(genuine)).toEqual([14, 15, 16]);
});

test('a run beside a chain that ended is the account’s own once it went on alone for a day', () => {
  const before = run(1, 10_000, [1, 2, 3, 4, 5, 7]);
  const graph = new Graph([], true);
  graph.add([...before, ...run(10, 90_000, [6, 8, 9, 10, 11, 1_447])]);
  expect(graph.get(14n)!.state).toBe('orphan');
  graph.add(run(16, 90_006, [1_448]));
  expect(graph.get(14n)!.state).toBe('linked');
  expect(gapsOf(graph).gaps.map(({ delta }) => delta)).toEqual([rupees(90_000 - 1 - 10_005)]);
});

test('the first message of all, told a minute late, stays the chain’s head where the window shows no more of what follows it', () => {
  const coarse = (nodes: ReturnType<typeof run>) => nodes.map((node) => ({ ...node, isCoarse: true }));
  const whole = new Graph([], true);
  whole.add(coarse(run(2, 10_002, [76, 76, 77, 77, 77])));
  whole.add(coarse(run(1, 10_001, [77])));
  expect(whole.get(1n)).toMatchObject({ next: 2n, state: 'linked' });
  const window = new Graph(
    whole.nodes.filter(({ minute }) => minute >= 77),
    false,
  );
  window.add(coarse(run(7, 10_007, [78, 79, 80, 81])));
  expect(window.get(1n)!.state).toBe('linked');
  const { gaps, undetermined } = gapsOf(window);
  expect([gaps, [...undetermined]]).toEqual([[], [1n]]);
});

test('messages of one minute that the bank names no time for keep the run that came first, and the gap after it', () => {
  const told = (id: bigint, minute: number, amount: number, balance: number) =>
    newNode({ id, minute, amount: rupees(amount), balance: rupees(balance), ...SMS });
  const graph = new Graph([], true);
  const others = [told(5n, 59, 1_850, 196_182), told(6n, 60, 1_690, 197_872), told(7n, 61, 490, 198_362)];
  for (const node of [
    told(1n, 58, 2_620, 188_792),
    told(2n, 58, 660, 192_822),
    told(3n, 58, 1_510, 194_332),
    // Follows the first.
    told(4n, 59, 480, 189_272),
    ...others,
  ])
    graph.add([node]);
  const found = gapsOf(graph).gaps.map(({ tail, head, delta }) => [tail.id, head.id, delta]);
  expect(found).toEqual([[4n, 2n, rupees(2_890)]]);
});
