import { SET_ASIDE_STATES } from '@sangam/contract/chain.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import type { BookEntry } from './account-book.ts';

/** A message, or what stands for one, as the server's chain of the account shows it. Paise, signed. */
export interface SeenNode {
  readonly id: string;
  readonly kind: 'message' | 'inferred' | 'patch';
  readonly amount: number;
  readonly balanceBefore: number;
  readonly balance: number;
  readonly state: string;
  readonly previousId: string | null;
  readonly nextId: string | null;
}

/** A gap of the server's chain. Paise, signed. */
export interface SeenGap {
  readonly tailId: string;
  readonly headId: string;
  readonly delta: number;
  readonly state: string;
}

/** How many, and their sum in paise, signed. */
interface Tally {
  readonly count: number;
  readonly sum: number;
}

/** What one account's chain knows of the money its bank moved. */
export interface ChainProof {
  readonly account: string;
  /** Between the first stated balance and the last: of what no message told, and of what was told without its balance. */
  readonly lost: Tally;
  readonly unstated: Tally;
  /** True messages that the chain has set aside there: their money stands in a gap like that of lost ones. */
  readonly quarantine: Tally;
  /** True messages linked to each other that the chain passes over, because a balance came back: their money and what is lost beside it are nothing. */
  readonly passedOver: Tally;
  /** Forged messages that stand in the chain, as far as it can know. */
  readonly forged: Tally;
  /** What the server says is missing, or has put in its place: gaps open and patched, and balances inferred. */
  readonly found: Tally;
  /** Stretches between two moments where bank and server agree on all that came before. */
  readonly stretches: number;
  /** Outside them, where no balance stated later can show it. */
  readonly unprovable: Tally;
  /** Stretches whose missing money is not what the server says, and true messages it does not know of. */
  readonly wrong: readonly string[];
}

type Step =
  | { readonly kind: 'entry'; readonly index: number }
  | { readonly kind: 'forged' | 'found'; readonly amount: number };

/**
 * Whether a server's chain of an account says what its bank's book says: in every stretch, what it calls missing (open gaps,
 * patches, inferred balances) is the money of the messages it was not told, less that of forged ones it has taken for true.
 * `nodes` and `gaps` are those of the book's time.
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
    // Only where all that the server has put before this movement, and nothing else, the bank has too.
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
  // Within the stretches the sums have been held against the bank's.
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

const SET_ASIDE: ReadonlySet<string> = new Set(SET_ASIDE_STATES);

/** Money that moved and stands in no message of the server's chain. */
function isMissing(entry: BookEntry, index: number, placed: ReadonlyMap<number, number>): boolean {
  return entry.kind !== 'forged' && !placed.has(index);
}

/** Which entry of the book each message is: by amount and balance, and of several alike in their order. */
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

/** The server's history from the first message of the book that stands in it to its end, over links and gaps. */
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
  const start = history.filter(isTrue).toSorted((a, b) => entryOf.get(a.id)! - entryOf.get(b.id)!)[0];
  for (let node = start; node && !seen.has(node.id);) {
    seen.add(node.id);
    const { id, kind, amount, balance, nextId } = node;
    if (isTrue(node)) steps.push({ kind: 'entry', index: entryOf.get(id)! });
    else steps.push({ kind: kind === 'message' ? 'forged' : 'found', amount });
    const next = byId.get(nextId ?? '');
    const gap = next ? undefined : gapAfter.get(id);
    if (gap) steps.push({ kind: 'found', amount: gap.delta });
    // Chains that fit without a link are no gap.
    node =
      next ??
      byId.get(gap?.headId ?? '') ??
      heads.find((head) => !seen.has(head.id) && head.balanceBefore === balance);
  }
  return steps;
}

const NONE: Tally = { count: 0, sum: 0 };
const plus = ({ count, sum }: Tally, amount: number): Tally => ({ count: count + 1, sum: sum + amount });
const both = (a: Tally, b: Tally): Tally => ({ count: a.count + b.count, sum: a.sum + b.sum });
const sumOf = (items: readonly { readonly amount: number }[]): Tally =>
  items.reduce((tally, { amount }) => plus(tally, amount), NONE);

function rupees(paise: number): string {
  return `${paise < 0 ? '−' : ''}₹${formatMinor(BigInt(Math.abs(paise)), 'INR')}`;
}

/** Lines of the statement: all accounts together, and each one that has something to say of itself. */
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
