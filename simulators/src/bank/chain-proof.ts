import { SET_ASIDE_STATES } from '@sangam/contract/chain.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { parseTime } from '@sangam/contract/time.ts';
import type { BookEntry } from './account-book.ts';

/** A node in the server's chain of the account: a message, an inferred one, or a patch. Paise, signed. */
export interface SeenNode {
  readonly id: string;
  readonly kind: 'message' | 'inferred' | 'patch';
  readonly amount: number;
  readonly balanceBefore: number;
  readonly balance: number;
  readonly state: string;
  readonly previousId: string | null;
  readonly nextId: string | null;
  /** Wire form, as `formatTime` writes it. */
  readonly bankTime: string;
}

/** A gap of the server's chain. Paise, signed. */
export interface SeenGap {
  readonly tailId: string;
  readonly headId: string;
  readonly delta: number;
  readonly state: string;
}

/** A count, and a sum in paise, signed. */
interface Tally {
  readonly count: number;
  readonly sum: number;
}

/** What the chain of one account knows of the money that its bank moved. */
export interface ChainProof {
  readonly account: string;
  /**
   * Between the first and the last stated balance: money that no message reported (lost), and money reported without its balance
   * (unstated).
   */
  readonly lost: Tally;
  readonly unstated: Tally;
  /** True messages in that span that the chain has set aside. Their money is part of a gap, as for lost messages. */
  readonly quarantine: Tally;
  /**
   * True, linked messages that the chain passes over because a balance occurred twice. Their money and what is lost beside it sum
   * to zero.
   */
  readonly passedOver: Tally;
  /** Forged messages in the chain. The chain could not know that they were forged. */
  readonly forged: Tally;
  /** What the server reports as missing or has inserted in its place: open gaps, patches, and inferred balances. */
  readonly found: Tally;
  /** The number of stretches. A stretch lies between two moments at which bank and server agree on everything before. */
  readonly stretches: number;
  /**
   * Money before the first or after the last stretch, where no later stated balance can show it. Single messages of the account's
   * first minute that the server left pending are among it (`isAloneAtStart`).
   */
  readonly unprovable: Tally;
  /** Stretches in which the server's sum differs from the missing money, and true messages that the server does not have. */
  readonly wrong: readonly string[];
}

type Step =
  | { readonly kind: 'entry'; readonly index: number }
  | { readonly kind: 'forged' | 'found'; readonly amount: number };

/**
 * Compares the server's chain of an account with its bank's book. In every stretch, the server's missing money (open gaps, patches,
 * inferred balances) must equal the money of the messages it did not get, less that of forged messages it took for true. `nodes`
 * and `gaps` must be those of the book's time.
 */
export function proveChain(
  account: string,
  book: readonly BookEntry[],
  nodes: readonly SeenNode[],
  gaps: readonly SeenGap[],
): ChainProof {
  const { entryOf, unreported } = matchNodes(book, nodes);
  const steps = walk(nodes, gaps, entryOf, book);
  const placed = steps
    .flatMap((step) => (step.kind === 'entry' ? [step.index] : []))
    .toSorted((a, b) => a - b);
  const rank = new Map(placed.map((index, place) => [index, place]));
  const first = placed[0] ?? book.length;
  const wrong = unreported.map(
    (index) => `${rupees(book[index]!.amount)} was told with its balance, and is nowhere`,
  );
  let [from, visited, highest, stretches] = [first, 0, -1, 0];
  let [found, forged] = [NONE, NONE];
  let pending = { found: NONE, forged: NONE };
  for (const step of steps) {
    if (step.kind !== 'entry') {
      pending = { ...pending, [step.kind]: plus(pending[step.kind], step.amount) };
      continue;
    }
    highest = Math.max(highest, rank.get(step.index)!);
    visited += 1;
    // A stretch ends only where the bank has booked before this movement exactly what the server has placed before it.
    if (rank.get(step.index) !== highest || highest !== visited - 1) continue;
    const to = step.index;
    const missing = sumOf(
      book.slice(from + 1, to).filter((entry, at) => isMissing(entry, from + 1 + at, rank)),
    );
    if (pending.found.sum + pending.forged.sum !== missing.sum)
      wrong.push(
        `between movements ${from} and ${to} ${rupees(missing.sum)} is missing (${missing.count}); the server says ${rupees(pending.found.sum)}, with ${rupees(pending.forged.sum)} forged`,
      );
    if (visited > 1) stretches += 1;
    found = both(found, pending.found);
    forged = both(forged, pending.forged);
    pending = { found: NONE, forged: NONE };
    from = to;
  }
  const beside = nodes.filter(({ id, state, previousId, nextId }) => {
    const index = entryOf.get(id) ?? -1;
    const isLinked = previousId !== null || nextId !== null;
    return book[index]?.kind === 'told' && !SET_ASIDE.has(state) && isLinked && !rank.has(index);
  });
  // Inside the stretches the sums have already been compared with the bank's.
  const isWithin = ({ id }: SeenNode) => entryOf.get(id)! > first && entryOf.get(id)! < from;
  for (const { amount, state } of beside.filter((node) => !isWithin(node)))
    wrong.push(`${rupees(amount)} is ${state}, but no gap leads to its links`);
  const within = book
    .map((entry, index) => ({ entry, index }))
    .filter(({ index }) => index > first && index < from);
  const missing = within
    .filter(({ entry, index }) => isMissing(entry, index, rank))
    .map(({ entry }) => entry);
  const outside = book.filter(
    (entry, index) => (index < first || index > from) && isMissing(entry, index, rank),
  );
  return {
    account,
    lost: sumOf(missing.filter(({ kind }) => kind === 'lost')),
    unstated: sumOf(missing.filter(({ kind, states }) => kind === 'told' && !states)),
    quarantine: sumOf(missing.filter(({ kind, states }) => kind === 'told' && states)),
    passedOver: sumOf(beside.filter(isWithin)),
    forged,
    found,
    stretches,
    unprovable: sumOf(outside),
    wrong,
  };
}

const MINUTE_MS = 60_000;

const SET_ASIDE: ReadonlySet<string> = new Set(SET_ASIDE_STATES);

/** Whether the money moved but is in no message of the server's chain. */
function isMissing(entry: BookEntry, index: number, placed: ReadonlyMap<number, number>): boolean {
  return entry.kind !== 'forged' && !placed.has(index);
}

/** Matches each message to its entry in the book, by amount and balance. Equal ones are matched in their order. */
function matchNodes(
  book: readonly BookEntry[],
  nodes: readonly SeenNode[],
): { readonly entryOf: ReadonlyMap<string, number>; readonly unreported: readonly number[] } {
  const key = ({ amount, balance }: { readonly amount: number; readonly balance: number }) =>
    `${amount}/${balance}`;
  const byKey = Map.groupBy(
    nodes.filter(({ kind }) => kind === 'message').toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1)),
    key,
  );
  const entryOf = new Map<string, number>();
  const unreported: number[] = [];
  book.forEach((entry, index) => {
    if (entry.kind === 'lost' || !entry.states) return;
    const node = byKey.get(key(entry))?.shift();
    if (node) entryOf.set(node.id, index);
    else if (entry.kind === 'told') unreported.push(index);
  });
  return { entryOf, unreported };
}

/** The server's history over links and gaps, from the first true message of the book to the end. */
function walk(
  nodes: readonly SeenNode[],
  gaps: readonly SeenGap[],
  entryOf: ReadonlyMap<string, number>,
  book: readonly BookEntry[],
): Step[] {
  const history = nodes.filter(({ state }) => !SET_ASIDE.has(state));
  const byId = new Map(history.map((node) => [node.id, node]));
  const gapAfter = new Map(gaps.filter(({ state }) => state === 'open').map((gap) => [gap.tailId, gap]));
  const heads = history.filter(({ previousId }) => previousId === null || !byId.has(previousId));
  const isTrue = ({ id }: SeenNode) => book[entryOf.get(id) ?? -1]?.kind === 'told';
  const steps: Step[] = [];
  const seen = new Set<string>();
  const inOrder = history.filter(isTrue).toSorted((a, b) => entryOf.get(a.id)! - entryOf.get(b.id)!);
  const gapEnds = new Set([...gapAfter.values()].flatMap(({ tailId, headId }) => [tailId, headId]));
  const isJoined = ({ id, previousId, nextId }: SeenNode) =>
    previousId !== null || nextId !== null || gapEnds.has(id);
  const joined = inOrder.find(isJoined);
  const start = inOrder.find((node) => !(joined && !isJoined(node) && isAloneAtStart(node, joined)));
  for (let node = start; node && !seen.has(node.id);) {
    seen.add(node.id);
    const { id, kind, amount, balance, nextId } = node;
    if (isTrue(node)) steps.push({ kind: 'entry', index: entryOf.get(id)! });
    else steps.push({ kind: kind === 'message' ? 'forged' : 'found', amount });
    const next = byId.get(nextId ?? '');
    const gap = next ? undefined : gapAfter.get(id);
    if (gap) steps.push({ kind: 'found', amount: gap.delta });
    // Two chains that fit without a link have no gap between them.
    node =
      next ??
      byId.get(gap?.headId ?? '') ??
      heads.find((head) => !seen.has(head.id) && head.balanceBefore === balance);
  }
  return steps;
}

/**
 * Whether the server left this message pending in the minute in which the account's history begins. Where the bank names no time, messages
 * of one minute arrive in any order. If the next message is lost, nothing tells the account's first one from a forged one.
 */
function isAloneAtStart({ state, bankTime }: SeenNode, joined: SeenNode): boolean {
  const apart = parseTime(bankTime)!.getTime() - parseTime(joined.bankTime)!.getTime();
  return state === 'pending' && Math.abs(apart) <= MINUTE_MS;
}

const NONE: Tally = { count: 0, sum: 0 };
const plus = ({ count, sum }: Tally, amount: number): Tally => ({ count: count + 1, sum: sum + amount });
const both = (a: Tally, b: Tally): Tally => ({ count: a.count + b.count, sum: a.sum + b.sum });
const sumOf = (items: readonly { readonly amount: number }[]): Tally =>
  items.reduce((tally, { amount }) => plus(tally, amount), NONE);

function rupees(paise: number): string {
  return `${paise < 0 ? '−' : ''}₹${formatMinor(BigInt(Math.abs(paise)), 'INR')}`;
}

/** Lines of the statement: a summary of all accounts, and one line for each account with something to report. */
export function printChains(proofs: readonly ChainProof[]): string[] {
  if (proofs.length === 0) return [];
  const all = (part: 'lost' | 'unstated' | 'quarantine' | 'passedOver' | 'forged' | 'found') =>
    proofs.reduce((tally, proof) => both(tally, proof[part]), NONE);
  const worded = ({ count, sum }: Tally) => `${count} (${rupees(sum)})`;
  const isWrong = proofs.some(({ wrong }) => wrong.length > 0);
  return [
    '',
    `  chains          ${String(proofs.length).padStart(6)}  accounts, ${proofs.reduce((count, { stretches }) => count + stretches, 0)} stretches between stated balances`,
    `    not told       ${worded(all('lost'))} lost, ${worded(all('unstated'))} told without balance, ${worded(all('quarantine'))} set aside, ${worded(all('passedOver'))} of it where a balance came back`,
    `    found          ${worded(all('found'))} by gaps, patches and inference; ${worded(all('forged'))} forged stand among the true`,
    isWrong
      ? '    UNEXPLAINED: what is missing and what was found differ'
      : '    in every stretch, what is missing and what was found is the same sum',
    ...proofs.flatMap(({ account, unprovable, stretches, wrong }) => [
      ...(unprovable.count === 0
        ? []
        : [
            `    ${account}: ${worded(unprovable)} not provable: ${stretches === 0 ? 'its bank stated no two balances' : 'before the first stated balance or after the last'}`,
          ]),
      ...wrong.map((why) => `    ${account}: UNEXPLAINED: ${why}`),
    ]),
  ];
}
