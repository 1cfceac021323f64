import { expect, test } from 'vitest';
import type { BookEntry } from './account-book.ts';
import { proveChain, printChains, type SeenGap, type SeenNode } from './chain-proof.ts';

/** The book of an account that begins with ₹100.00, from its movements. */
function bookOf(...movements: readonly (readonly [BookEntry['kind'], number, 'states'?])[]): BookEntry[] {
  let balance = 100_00;
  return movements.map(([kind, amount, states]) => {
    const after = balance + amount;
    if (kind !== 'forged') balance = after;
    return { kind, amount, balance: after, states: states !== undefined };
  });
}

/** The nodes of a server that links these entries of the book one after the other; `others` are orphans and forks. */
function seen(book: readonly BookEntry[], linked: readonly number[], others: readonly number[] = []) {
  const nodeOf = (index: number, state: string): SeenNode => {
    const { amount, balance } = book[index]!;
    const place = linked.indexOf(index);
    const next = linked[place + 1];
    const previous = linked[place - 1];
    const joins = (from: number | undefined, to: number | undefined) =>
      from !== undefined && to !== undefined && book[from]!.balance === book[to]!.balance - book[to]!.amount;
    return {
      id: String(index),
      kind: 'message',
      amount,
      balance,
      balanceBefore: balance - amount,
      state,
      previousId: place > 0 && joins(previous, index) ? String(previous) : null,
      nextId: place >= 0 && joins(index, next) ? String(next) : null,
      bankTime: `2026-12-01 10:0${index}:00`,
    };
  };
  const nodes = [
    ...linked.map((index) => nodeOf(index, 'linked')),
    ...others.map((index) => nodeOf(index, 'fork')),
  ];
  const gaps: SeenGap[] = nodes.flatMap(({ id, nextId, state, balance }) => {
    const next = nodes[linked.indexOf(Number(id)) + 1];
    return state === 'fork' || nextId !== null || next === undefined || next.state === 'fork'
      ? []
      : [{ tailId: id, headId: next.id, delta: next.balanceBefore - balance, state: 'open' }];
  });
  return { nodes, gaps };
}

const proofOf = (book: readonly BookEntry[], { nodes, gaps }: ReturnType<typeof seen>) =>
  proveChain('A', book, nodes, gaps);

test('a lost message and one told without balance are found as the gap between their neighbours', () => {
  const book = bookOf(['told', 5_00, 'states'], ['lost', 7_00], ['told', 2_00], ['told', 3_00, 'states']);
  expect(proofOf(book, seen(book, [0, 3]))).toMatchObject({
    lost: { count: 1, sum: 7_00 },
    unstated: { count: 1, sum: 2_00 },
    found: { count: 1, sum: 9_00 },
    stretches: 1,
    wrong: [],
  });
});

test('forged messages are subtracted, whether they fill a gap or link where no gap ends', () => {
  const hole = bookOf(
    ['told', 5_00, 'states'],
    ['lost', 7_00],
    ['forged', 9_00, 'states'],
    ['told', 3_00, 'states'],
  );
  expect(proofOf(hole, seen(hole, [0, 2, 3]))).toMatchObject({ forged: { count: 1, sum: 9_00 }, wrong: [] });
  // After the forgery, a credit of the same sum is lost. The next true message links to the forgery, and no gap remains.
  const loop = bookOf(
    ['told', 5_00, 'states'],
    ['forged', 9_00, 'states'],
    ['lost', 9_00],
    ['told', 3_00, 'states'],
  );
  const server = seen(loop, [0, 1, 3]);
  expect(server.gaps).toEqual([]);
  expect(proofOf(loop, server)).toMatchObject({
    lost: { count: 1 },
    found: { count: 0 },
    forged: { sum: 9_00 },
    wrong: [],
  });
});

test('a true message that was set aside counts as missing; money that no later balance shows is not provable', () => {
  const book = bookOf(
    ['lost', 1_00],
    ['told', 5_00, 'states'],
    ['told', 4_00, 'states'],
    ['told', 3_00, 'states'],
    ['lost', 7_00],
  );
  expect(proofOf(book, seen(book, [1, 3], [2]))).toMatchObject({
    quarantine: { count: 1, sum: 4_00 },
    found: { count: 1, sum: 4_00 },
    unprovable: { count: 2, sum: 8_00 },
    wrong: [],
  });
});

test('true messages that a chain passes over because the balance came back are no gap within the chain, but are one after its end', () => {
  const book = bookOf(
    ['told', 5_00, 'states'],
    ['lost', 7_00],
    ['told', 4_00, 'states'],
    ['told', -8_00, 'states'],
    ['lost', -3_00],
    ['told', 1_00, 'states'],
  );
  const server = seen(book, [0, 5]);
  const link = (id: string, previousId: string | null, nextId: string | null) => ({
    ...seen(book, [Number(id)]).nodes[0]!,
    previousId,
    nextId,
  });
  const nodes = [...server.nodes, link('2', null, '3'), link('3', '2', null)];
  expect(proofOf(book, { ...server, nodes })).toMatchObject({
    passedOver: { count: 2, sum: -4_00 },
    quarantine: { count: 2 },
    wrong: [],
  });
  const cut = [server.nodes[0]!, ...nodes.slice(2)].map((node) =>
    node.id === '0' ? { ...node, nextId: null } : node,
  );
  expect(proofOf(book, { ...server, nodes: cut }).wrong).not.toEqual([]);
});

test("movements of one minute in another order than the bank's count as one stretch", () => {
  const book = bookOf(
    ['told', 5_00, 'states'],
    ['told', 1_00, 'states'],
    ['lost', 2_00],
    ['told', 3_00, 'states'],
    ['told', 4_00, 'states'],
  );
  const proof = proofOf(book, seen(book, [0, 3, 1, 4]));
  expect(proof).toMatchObject({
    lost: { count: 1, sum: 2_00 },
    found: { sum: 2_00 },
    stretches: 1,
    wrong: [],
  });
});

test('a first message that stays pending in the account’s first minute is not provable; one that stays so later is wrong', () => {
  const book = bookOf(
    ['told', 5_00, 'states'],
    ['lost', 7_00],
    ['told', 2_00, 'states'],
    ['told', 3_00, 'states'],
    ['lost', 1_00],
    ['told', 4_00, 'states'],
  );
  const server = seen(book, [2, 3, 5]);
  const first = (bankTime: string) => ({ ...seen(book, [0]).nodes[0]!, state: 'pending', bankTime });
  const proofAt = (bankTime: string) =>
    proofOf(book, { ...server, nodes: [...server.nodes, first(bankTime)] });
  expect(proofAt(server.nodes[0]!.bankTime)).toMatchObject({
    lost: { count: 1, sum: 1_00 },
    found: { count: 1, sum: 1_00 },
    unprovable: { count: 2, sum: 12_00 },
    wrong: [],
  });
  expect(proofAt('2026-12-01 10:04:00').wrong).not.toEqual([]);
});

test('an account whose bank states no balance is reported as not provable', () => {
  const proof = proofOf(bookOf(['told', 5_00], ['lost', 7_00]), { nodes: [], gaps: [] });
  expect(proof).toMatchObject({ stretches: 0, unprovable: { count: 2, sum: 12_00 }, wrong: [] });
  expect(printChains([proof]).join('\n')).toContain(
    'A: 2 (₹12.00) not provable: its bank stated no two balances',
  );
});

test('a server with a wrong sum, without the gap, or without a message is detected', () => {
  const book = bookOf(
    ['told', 5_00, 'states'],
    ['lost', 7_00],
    ['told', 3_00, 'states'],
    ['told', 2_00, 'states'],
  );
  const right = seen(book, [0, 2, 3]);
  const faults: (typeof right)[] = [
    { ...right, gaps: right.gaps.map((gap) => ({ ...gap, delta: 6_99 })) },
    { ...right, gaps: right.gaps.map((gap) => ({ ...gap, state: 'closed' })) },
    { ...right, nodes: right.nodes.filter(({ id }) => id !== '3') },
    { ...right, nodes: right.nodes.map((node) => (node.id === '0' ? { ...node, nextId: '2' } : node)) },
  ];
  expect(proofOf(book, right).wrong).toEqual([]);
  for (const fault of faults) expect(proofOf(book, fault).wrong).not.toEqual([]);
  expect(printChains([proofOf(book, faults[0]!)]).join('\n')).toContain('UNEXPLAINED');
});
