import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gapsOf } from './gaps.ts';
import { Graph } from './graph.ts';
import { passes } from './judge.ts';
import { type ChainNode, isLinked } from './node.ts';

/** Simulated histories. One that fails prints its seed. */

const RUNS = 300;
const LENGTH = 60;
const seed = Number(process.env['CHAIN_SEED'] ?? 5_201);

interface Random {
  int(from: number, to: number): number;
  shuffle<Item>(items: readonly Item[]): Item[];
}

function randomOf(start: number): Random {
  let state = start | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    int,
    shuffle(items) {
      const list = [...items];
      for (let i = list.length - 1; i > 0; i -= 1) {
        const j = int(0, i);
        [list[i], list[j]] = [list[j]!, list[i]!];
      }
      return list;
    },
  };
}

function nodeOf(id: number, minute: number, amount: bigint, balance: bigint): ChainNode {
  return {
    id: BigInt(id),
    accountId: 1n,
    kind: 'message',
    patchId: null,
    amount,
    balance,
    minute,
    isCoarse: false,
    isSurplus: false,
    place: 0,
    isFork: false,
    state: 'pending',
    previous: null,
    next: null,
  };
}

interface Options {
  readonly amounts?: readonly bigint[];
  /** Minutes between two movements: 0 puts some in the same minute. */
  readonly pause?: readonly [number, number];
}

function history(random: Random, { amounts, pause = [0, 2] }: Options = {}): ChainNode[] {
  let balance = 5_000_000_00n;
  let minute = 1_000;
  return Array.from({ length: LENGTH }, (_, index) => {
    const amount =
      amounts?.[random.int(0, amounts.length - 1)] ??
      BigInt(random.int(0, 3) === 0 ? -random.int(100_00, 90_000_00) : random.int(100_00, 90_000_00));
    minute += random.int(...pause);
    balance += amount;
    return nodeOf(index + 1, minute, amount, balance);
  });
}

/** As a phone reports them: minutes in order, any order within a minute. */
function told(random: Random, nodes: readonly ChainNode[]): ChainNode[] {
  return [...Map.groupBy(nodes, ({ minute }) => minute).values()].flatMap((minute) => random.shuffle(minute));
}

function placed(nodes: readonly ChainNode[]): Graph {
  const graph = new Graph([], true);
  for (const node of nodes) graph.add([node]);
  return graph;
}

const heads = (graph: Graph) => graph.nodes.filter(({ previous }) => previous === null);
const linksOf = (graph: Pick<Graph, 'nodes'>) =>
  graph.nodes
    .map(({ id, next }) => `${id}>${next}`)
    .toSorted()
    .join(' ');

function each(kind: string, work: (random: Random, run: number) => void): void {
  test(`${RUNS} histories: ${kind}`, () => {
    for (let run = 0; run < RUNS; run += 1) {
      try {
        work(randomOf(seed * 100_000 + run), run);
      } catch (error) {
        throw new Error(`CHAIN_SEED=${seed}, history ${run}`, { cause: error });
      }
    }
  });
}

const demands = {
  minReliableChainSize: 5,
  minReliableCheckSize: 3,
  minReliableCheckTimeRange: 720,
  minReliableCheckAmount: 1n,
};

each('shuffled within the minute they are one chain', (random) => {
  const graph = placed(told(random, history(random)));
  expect(heads(graph)).toHaveLength(1);
  expect(gapsOf(graph).gaps).toEqual([]);
});

each('shuffled, with two amounts only, they are one chain', (random) => {
  const graph = placed(told(random, history(random, { amounts: [500_00n, -300_00n] })));
  expect(heads(graph)).toHaveLength(1);
});

each('of one to three lost messages the gaps make up the sum', (random) => {
  const whole = history(random);
  const lost = new Set(
    Array.from({ length: random.int(1, 3) }, () => whole[random.int(1, whole.length - 2)]!),
  );
  const graph = placed(
    told(
      random,
      whole.filter((node) => !lost.has(node)),
    ),
  );
  const { gaps } = gapsOf(graph);
  expect(gaps.length).toBeGreaterThan(0);
  expect(gaps.reduce((sum, { delta }) => sum + delta, 0n)).toBe(
    [...lost].reduce((sum, { amount }) => sum + amount, 0n),
  );
});

each('in minutes of their own, each run of lost messages is one gap', (random) => {
  const whole = history(random, { pause: [1, 3] });
  const lost = whole.map((_, index) => index > 0 && index < LENGTH - 1 && random.int(0, 11) === 0);
  const kept = whole.filter((_, index) => !lost[index]);
  const runs = lost.filter((isLost, index) => isLost && !lost[index - 1]).length;
  const { gaps } = gapsOf(placed(random.shuffle(kept)));
  expect(gaps).toHaveLength(runs);
});

each('a blind forgery links to nothing', (random) => {
  const whole = history(random);
  const at = whole[random.int(5, LENGTH - 5)]!;
  const forged = nodeOf(999, at.minute, 900_00n, at.balance + BigInt(random.int(1_00, 80_000_00)) + 7n);
  const graph = placed(told(random, [...whole, forged]));
  expect(graph.get(999n)).toMatchObject({ previous: null, next: null });
  expect(heads(graph)).toHaveLength(2);
});

each('blind forgeries that link to each other between the genuine messages pass for none', (random) => {
  const whole = history(random, { pause: [2, 3] });
  const isCoarse = random.int(0, 1) === 1;
  let balance = 90_000_000_00n + BigInt(random.int(0, 99));
  const start = random.int(6, LENGTH - 30);
  const forged = whole.slice(start, start + random.int(5, 25)).map(({ minute }, index) => {
    const amount = BigInt(random.int(1_00, 90_000_00));
    balance += amount;
    return nodeOf(900 + index, minute + 1, amount, balance);
  });
  const graph = new Graph([], true);
  for (const node of [...whole, ...forged].toSorted((a, b) => a.minute - b.minute)) {
    graph.add([{ ...node, isCoarse }]);
    // A verdict on older nodes was given before, with everything that could corroborate them.
    const passed = graph.nodes
      .slice(-6)
      .filter(({ id }) => id >= 900n)
      .filter((each) => passes(graph, each, demands));
    if (passed.length > 0) expect(passed).toEqual([]);
  }
  expect(forged.map(({ id }) => graph.get(id)!.state)).toEqual(forged.map(() => 'orphan'));
  const genuine = whole.map(({ id }) => graph.get(id)!);
  expect(genuine.every(({ state }) => state === 'linked')).toBe(true);
  expect(genuine.slice(5, -2).every((node) => passes(graph, node, demands))).toBe(true);
  expect(gapsOf(graph).gaps).toEqual([]);
});

each('an insider’s forgery is found out by the next real message', (random) => {
  const whole = history(random, { pause: [1, 2] });
  const at = random.int(5, LENGTH - 5);
  const amount = BigInt(random.int(100_00, 90_000_00));
  const forged = nodeOf(999, whole[at]!.minute, amount, whole[at]!.balance + amount);
  const graph = placed([...whole.slice(0, at + 1), forged]);
  expect(passes(graph, graph.get(999n)!, demands)).toBe(false);
  for (const node of whole.slice(at + 1)) {
    graph.add([node]);
    expect(graph.get(999n)!.state).toMatch(/fork|orphan/);
    expect(passes(graph, graph.get(999n)!, demands)).toBe(false);
  }
  expect(graph.nodes.filter((node) => node.id !== 999n && node.previous === null)).toHaveLength(1);
});

each('a late message heals the chain', (random) => {
  const whole = history(random);
  const late = whole[random.int(1, LENGTH - 2)]!;
  const graph = placed([
    ...told(
      random,
      whole.filter((node) => node !== late),
    ),
    late,
  ]);
  expect(gapsOf(graph).gaps).toEqual([]);
  expect(heads(graph)).toHaveLength(1);
});

each('a patch makes exactly one gap vanish, and proves nothing', (random) => {
  const whole = history(random);
  const graph = placed(
    whole.filter((_, index) => index === 0 || index === LENGTH - 1 || random.int(0, 9) > 0),
  );
  const shown = () => gapsOf(graph).gaps.map(({ tail, head, delta }) => `${tail.id}>${head.id}: ${delta}`);
  const { gaps } = gapsOf(graph);
  const before = shown();
  if (gaps.length === 0) return;
  const at = random.int(0, gaps.length - 1);
  const { tail, head, delta } = gaps[at]!;
  const part = delta / BigInt(random.int(2, 5));
  const parts = [part, delta - part].filter((amount) => amount !== 0n);
  let { balance } = tail;
  graph.add(
    parts.map((amount, index) => {
      balance += amount;
      return { ...nodeOf(900 + index, head.minute, amount, balance), kind: 'patch', patchId: 1n } as const;
    }),
  );
  expect(shown()).toEqual(before.filter((_, index) => index !== at));
  expect([graph.get(tail.id)!.next, graph.get(head.id)!.previous]).toEqual([
    900n,
    899n + BigInt(parts.length),
  ]);
  const few = { ...demands, minReliableChainSize: 2, minReliableCheckSize: 2 };
  expect(passes(graph, graph.get(900n)!, { ...few, minReliableCheckAmount: 0n })).toBe(false);
});

each('in minutes of their own, the order they come in changes no link', (random) => {
  const whole = history(random, { pause: [1, 2], amounts: [500_00n, -300_00n, -200_00n] });
  const kept = whole.filter(() => random.int(0, 19) !== 0);
  expect(linksOf(placed(random.shuffle(kept)))).toBe(linksOf(placed(kept)));
});

each('a movement told again in another wording changes nothing', (random) => {
  const amounts = random.int(0, 1) === 1 ? [500_00n, 700_00n, -300_00n] : undefined;
  const whole = history(random, { pause: [1, 3], ...(amounts && { amounts }) });
  const again = whole
    .filter(() => random.int(0, 4) === 0)
    .map((node) => {
      const isCoarse = random.int(0, 1) === 1;
      return { ...node, id: node.id + 1_000n, minute: node.minute + (isCoarse ? 2 : 0), isCoarse };
    });
  const all = [...whole, ...again].toSorted((a, b) => a.minute - b.minute || Number(a.id - b.id));
  const graph = placed(all);
  const originals = graph.nodes.filter(({ id }) => id < 1_000n);
  expect(linksOf({ nodes: originals })).toBe(linksOf(placed(whole)));
  expect(again.map(({ id }) => graph.get(id)!.state)).toEqual(again.map(() => 'repeat'));
});

each('a loop of two forgeries leaves no trace in the balances', (random) => {
  const whole = history(random, { pause: [2, 3] });
  const at = whole[random.int(5, LENGTH - 5)]!;
  const loop = [
    nodeOf(998, at.minute, 900_00n, at.balance + 900_00n),
    nodeOf(999, at.minute, -900_00n, at.balance),
  ];
  const graph = placed(told(random, [...whole, ...loop]));
  expect(gapsOf(graph).gaps).toEqual([]);
  expect(graph.nodes.every(isLinked)).toBe(true);
});

test('no message is lost, whatever comes, and links are mutual', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          minute: fc.integer({ min: 0, max: 6 }),
          amount: fc.constantFrom(-2n, -1n, 1n, 2n),
          balance: fc.bigInt({ min: 0n, max: 5n }),
          isCoarse: fc.boolean(),
        }),
        { maxLength: 14 },
      ),
      (messages) => {
        const nodes = messages.map(({ isCoarse, ...told }, index) => ({
          ...nodeOf(index + 1, told.minute, told.amount, told.balance),
          isCoarse,
        }));
        const graph = placed(nodes);
        expect(new Set(graph.nodes.map(({ id }) => id))).toEqual(new Set(nodes.map(({ id }) => id)));
        expect(graph.nodes).toHaveLength(nodes.length);
        for (const node of graph.nodes) {
          if (node.next !== null) {
            expect(graph.get(node.next)).toMatchObject({ previous: node.id });
            expect(graph.get(node.next)!.balance - graph.get(node.next)!.amount).toBe(node.balance);
          }
          if (node.previous !== null) expect(graph.get(node.previous)).toMatchObject({ next: node.id });
        }
      },
    ),
    { numRuns: 2_000, seed },
  );
});
