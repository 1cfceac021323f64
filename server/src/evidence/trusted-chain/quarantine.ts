import { byPosition, chainFrom, type ChainNode, headsOf, isLinked, isReal } from './node.ts';

/** A run put aside is believed again once it went on for so long after all others ended, in minutes: it is the account's after all. */
const ALONE = 1_440;
/** Where the bank names no time, a message told late seems to stand within the next run; so many in a row do not. */
const COARSE_PROOF = 3;

/** Linked nodes as far as the window shows them, in the order of time. */
export interface LinkedRun {
  readonly nodes: readonly ChainNode[];
  /** Part of it lies before the window. A window reaches to the present, so a run whose end leads out of it goes on before it, too: a message was late. */
  readonly isOlder: boolean;
  /**
   * It stands beside a chain that was there before it and went on: somebody tells a history of his own between the genuine
   * messages. However well its balances fit each other, it is no part of the account's chain.
   */
  readonly isQuarantined: boolean;
}

/** The runs of two and more among a window's nodes, which stand in the order of time; those that began first first. */
export function linkedRuns(
  nodes: readonly ChainNode[],
  byId: ReadonlyMap<bigint, ChainNode>,
  trustedSize: number,
): LinkedRun[] {
  const linked = nodes.filter(isLinked);
  const heads = headsOf(linked, byId);
  const runs = heads
    .map((head) => {
      // A window has one run as a rule: that is known without a walk along it, which is asked for at each message.
      if (heads.length === 1) return { head, nodes: linked, isOlder: head.previous !== null };
      const chain = chainFrom(head, byId);
      const isOlder = head.previous !== null || chain.at(-1)!.next !== null;
      return { head, nodes: chain.toSorted(byPosition), isOlder };
    })
    .toSorted((a, b) => Number(b.isOlder) - Number(a.isOlder) || byPosition(a.nodes[0]!, b.nodes[0]!));
  const judged: LinkedRun[] = [];
  for (const { head, ...run } of runs) {
    const main = judged.filter(({ isQuarantined }) => !isQuarantined);
    // What the window shows no beginning of was judged when it began.
    const isBeside = run.isOlder
      ? head.state === 'orphan'
      : main.some((other) => standsBeside(run.nodes, other, trustedSize));
    judged.push({ ...run, isQuarantined: isBeside && !isAlone(run.nodes, runs, head, trustedSize) });
  }
  return judged;
}

/** Whether `run` began when `other` could be trusted already, and went on past that; or lies within it as a whole. */
function standsBeside(run: readonly ChainNode[], other: LinkedRun, trustedSize: number): boolean {
  const [first, last] = [run[0]!, run.at(-1)!];
  const before = other.nodes.filter(({ minute }) => minute < first.minute);
  const after = other.nodes.filter(({ minute }) => minute > first.minute);
  const isProof = first.isCoarse || !after.some(({ isCoarse }) => !isCoarse) ? COARSE_PROOF : 1;
  if (after.length < isProof) return false;
  if (other.isOlder || before.filter(isReal).length >= trustedSize) return true;
  return before.length > 0 && after.some(({ minute }) => minute > last.minute);
}

/** Whether it went on for long after every other run had ended. */
function isAlone(
  run: readonly ChainNode[],
  runs: readonly { readonly head: ChainNode; readonly nodes: readonly ChainNode[] }[],
  own: ChainNode,
  trustedSize: number,
): boolean {
  const ends = runs.filter(({ head }) => head !== own).map(({ nodes }) => nodes.at(-1)!.minute);
  const end = Math.max(...ends);
  const since = run.filter((node) => isReal(node) && node.minute > end);
  return since.length >= trustedSize && run.at(-1)!.minute - end > ALONE;
}
