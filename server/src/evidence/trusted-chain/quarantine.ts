import { byPosition, chainFrom, type ChainNode, headsOf, isLinked, isReal } from './node.ts';

/** A quarantined run is believed again when it went on for this many minutes (a day) after all others had ended. */
const ALONE = 1_440;
/** Where the bank names no time, one late message may seem to lie within the next run. This many messages prove that it does. */
const COARSE_PROOF = 3;

/** A run of linked nodes, as far as the window shows it, in the order of time. */
export interface LinkedRun {
  readonly nodes: readonly ChainNode[];
  /**
   * Part of the run lies before the window. A window reaches to the present. So a run whose end leads out of it also goes on before the
   * window, because a message was late.
   */
  readonly isOlder: boolean;
  /**
   * The run stands beside a chain that was there before it and went on: somebody invents a history between the genuine messages. However
   * well its balances fit, it does not belong to the account's chain.
   */
  readonly isQuarantined: boolean;
}

/** The runs of two or more nodes in a window, runs that began first first. `nodes` are in the order of time. */
export function linkedRuns(
  nodes: readonly ChainNode[],
  byId: ReadonlyMap<bigint, ChainNode>,
  trustedSize: number,
): LinkedRun[] {
  const linked = nodes.filter(isLinked);
  const heads = headsOf(linked, byId);
  const runs = heads
    .map((head) => {
      // A window usually has one run. Then no walk along the run is needed; this matters, because it happens at each message.
      if (heads.length === 1) return { head, nodes: linked, isOlder: head.previous !== null };
      const chain = chainFrom(head, byId);
      const isOlder = head.previous !== null || chain.at(-1)!.next !== null;
      return { head, nodes: chain.toSorted(byPosition), isOlder };
    })
    .toSorted((a, b) => Number(b.isOlder) - Number(a.isOlder) || byPosition(a.nodes[0]!, b.nodes[0]!));
  const judged: LinkedRun[] = [];
  for (const { head, ...run } of runs) {
    const main = judged.filter(({ isQuarantined }) => !isQuarantined);
    // A run whose beginning lies before the window was judged when it began.
    const isBeside = run.isOlder
      ? head.state === 'orphan'
      : main.some((other) => standsBeside(run.nodes, other, trustedSize));
    judged.push({ ...run, isQuarantined: isBeside && !isAlone(run.nodes, runs, head, trustedSize) });
  }
  return judged;
}

/** Whether `run` began when `other` was trusted already, and `other` went on past that beginning; or whether `run` lies within `other`. */
function standsBeside(run: readonly ChainNode[], other: LinkedRun, trustedSize: number): boolean {
  const [first, last] = [run[0]!, run.at(-1)!];
  const before = other.nodes.filter(({ minute }) => minute < first.minute);
  const after = other.nodes.filter(({ minute }) => minute > first.minute);
  const isProof = first.isCoarse || !after.some(({ isCoarse }) => !isCoarse) ? COARSE_PROOF : 1;
  if (after.length < isProof) return false;
  if (other.isOlder || before.filter(isReal).length >= trustedSize) return true;
  return before.length > 0 && after.some(({ minute }) => minute > last.minute);
}

/** Whether the run went on alone for long enough (`ALONE`), with enough real nodes, after every other run had ended. */
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
