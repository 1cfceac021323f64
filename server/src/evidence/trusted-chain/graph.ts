import { SETTINGS } from '@sangam/contract/settings.ts';
import { SECOND_WORDING } from '../../collection/waiting.ts';
import { MINUTE } from '../../platform/clock.ts';
import { type LinkedRun, linkedRuns } from './quarantine.ts';
import { before, byPosition, type ChainNode, isLinked, type NodeState } from './node.ts';
import { orderOfMinute } from './trail.ts';

/** By how many minutes times may contradict the balances: one, or a day where the bank named no time. */
const SLACK = 1;
const COARSE_SLACK = 1_440;
/** Within this many minutes, a text without a time of the bank may report again what another text reports. */
export const COARSE_REPEAT = SECOND_WORDING / MINUTE;

/**
 * An account's nodes in memory: the whole account, or a window of it around the nodes that arrive. Links to nodes outside the window are
 * left alone. The links depend only on the set of nodes, not on the order in which they came.
 */
export class Graph {
  readonly nodes: ChainNode[];
  /** The account has no node before the window's first. */
  readonly fromStart: boolean;
  readonly #byId: Map<bigint, ChainNode>;
  readonly #trustedSize: number;
  #asleep: ReadonlySet<bigint>;
  readonly #repeats: Set<bigint>;
  #runs: readonly LinkedRun[] | undefined;

  /**
   * Nodes in `asleep` exist but link to nothing: they have waited too long for their neighbours. A run of `trustedSize` real nodes is the
   * account's chain; no run that begins beside it later is.
   */
  constructor(
    nodes: readonly ChainNode[],
    fromStart: boolean,
    asleep: ReadonlySet<bigint> = new Set(),
    trustedSize = SETTINGS.SecurityFreqParameters.fallback.minReliableChainSize,
  ) {
    this.#asleep = asleep;
    this.#trustedSize = trustedSize;
    this.nodes = nodes.map((node) => ({ ...node })).toSorted(byPosition);
    this.fromStart = fromStart;
    this.#byId = new Map(this.nodes.map((node) => [node.id, node]));
    this.#repeats = new Set(this.nodes.flatMap(({ id, state }) => (state === 'repeat' ? id : [])));
  }

  get(id: bigint | null): ChainNode | undefined {
    return id === null ? undefined : this.#byId.get(id);
  }

  /** Places nodes that arrived. Their order within the call does not matter. */
  add(arriving: readonly ChainNode[]): void {
    for (const node of arriving) {
      const copy = { ...node };
      this.nodes.push(copy);
      this.#byId.set(copy.id, copy);
    }
    this.#settle(arriving);
  }

  /** Takes nodes out again: of a patch that was withdrawn, or that a late message replaced. */
  remove(leaving: readonly ChainNode[]): void {
    for (const { id } of leaving) {
      const node = this.#byId.get(id)!;
      this.#unlink(node);
      this.nodes.splice(this.nodes.indexOf(node), 1);
      this.#byId.delete(id);
    }
    this.#settle(leaving);
  }

  #unlink(node: ChainNode): void {
    for (const other of [this.get(node.previous), this.get(node.next)]) {
      if (other?.next === node.id) other.next = null;
      if (other?.previous === node.id) other.previous = null;
    }
    node.previous = null;
    node.next = null;
  }

  /** Lets nodes link again that had waited too long. */
  wake(): void {
    const asleep = this.nodes.filter(({ id }) => this.#asleep.has(id));
    this.#asleep = new Set();
    this.#settle(asleep);
  }

  #settle(changed: readonly ChainNode[]): void {
    this.nodes.sort(byPosition);
    const touched = new Set<bigint>(changed.flatMap((node) => [before(node), node.balance]));
    for (const minute of new Set(changed.map((node) => node.minute).toSorted((a, b) => a - b))) {
      // The minutes beside it were ordered before these nodes were known, so they are ordered again.
      const around = [
        this.nodes.findLast((node) => node.minute < minute)?.minute,
        minute,
        this.nodes.find((node) => node.minute > minute)?.minute,
      ];
      for (const each of around) for (const value of this.#orderMinute(each)) touched.add(value);
    }
    for (const value of new Set(changed.flatMap((node) => [before(node), node.balance])))
      for (const other of this.#markRepeats(value)) touched.add(other);
    // Among rivals the one that is continued wins. So a change at one balance may decide the fork before it or after it.
    const ends = this.nodes.map((node) => ({ from: before(node), to: node.balance }));
    for (const value of new Set(touched)) {
      for (const { from, to } of ends) {
        if (to === value) touched.add(from);
        if (from === value) touched.add(to);
      }
    }
    for (const value of touched) this.#relink(value);
    this.#restate();
  }

  /** Orders the nodes of one minute. Returns the balances at which that changed something. */
  #orderMinute(minute: number | undefined): bigint[] {
    const first = this.nodes.findIndex((node) => node.minute === minute);
    const last = this.nodes.findLastIndex((node) => node.minute === minute);
    if (first === -1 || first === last || (first === 0 && !this.fromStart)) return [];
    const earlier = this.nodes.slice(0, first);
    const entries = [
      earlier.findLast(isInHistory),
      earlier.findLast((node) => !node.isFork && isLinked(node)),
    ].flatMap((node) => node?.balance ?? []);
    const follower = this.nodes.slice(last + 1).find(isInHistory);
    const ordered = orderOfMinute(
      this.nodes.slice(first, last + 1),
      entries,
      follower === undefined ? undefined : before(follower),
    );
    const moved = ordered.filter((node, place) => {
      const isMoved = node.place !== place;
      node.place = place;
      return isMoved;
    });
    this.nodes.sort(byPosition);
    return moved.flatMap((node) => [before(node), node.balance]);
  }

  /**
   * Marks nodes that leave from this balance and repeat, at about the same time, what another node says: a bank may report one movement in
   * two wordings. The one reported first keeps the place. If the account came back to the balance between them, both are movements. Returns
   * the balances at which that changed something.
   */
  #markRepeats(value: bigint): bigint[] {
    const [first] = this.nodes;
    const changed: bigint[] = [];
    let group: ChainNode[] = [];
    const close = () => {
      for (const same of Map.groupBy(group, ({ balance }) => balance).values()) {
        const original = same.reduce((least, node) => (node.id < least.id ? node : least));
        for (const node of same) {
          const isKnown = this.#repeats.has(node.id);
          // Its original may stand before the window.
          const isOlder = isKnown && !this.fromStart && node.minute - COARSE_REPEAT < first!.minute;
          const isRepeat = node === original ? isOlder : tellsAgain(node, original);
          if (isRepeat === isKnown) continue;
          if (isRepeat) this.#repeats.add(node.id);
          else this.#repeats.delete(node.id);
          this.#unlink(node);
          changed.push(value, node.balance);
        }
      }
      group = [];
    };
    for (const node of this.nodes) {
      if (node.balance === value && !this.#repeats.has(node.id)) close();
      else if (before(node) === value && node.kind === 'message') group.push(node);
    }
    close();
    return changed;
  }

  /**
   * Links nodes that arrive at a balance to nodes that leave from it, each arrival to the departure that follows it in time. Several
   * departures after one arrival are a fork: the one that is continued holds the place. Of several arrivals before one departure, the one
   * that itself has a predecessor is linked, otherwise the latest.
   */
  #relink(value: bigint): void {
    const events = this.nodes.filter((node) => this.#touches(node, value));
    for (const node of events) {
      if (node.balance === value) node.next = null;
      else {
        node.previous = null;
        node.isFork = false;
      }
    }
    let index = 0;
    while (index < events.length) {
      const arrivals = takeWhile(events, index, (node) => node.balance === value);
      const departures = takeWhile(events, index + arrivals.length, (node) => before(node) === value);
      index += arrivals.length + departures.length;
      if (arrivals.length === 0 || departures.length === 0) continue;
      const winner = this.#continued(departures);
      if (winner) this.#link(this.#rooted(arrivals), winner);
    }
    this.#linkWithinSlack(events, value);
  }

  /** Whether the node arrives at or leaves from this balance and its partner there, if any, is in the window. */
  #touches(node: ChainNode, value: bigint): boolean {
    if (!touchesAt(node, value) || this.#asleep.has(node.id) || this.#repeats.has(node.id)) return false;
    const partner = node.balance === value ? node.next : node.previous;
    return partner === null || this.#byId.has(partner);
  }

  /** Which of the rivals for one place holds it; marks the others as forks. Undefined while none or several of them are continued. */
  #continued(departures: readonly ChainNode[]): ChainNode | undefined {
    const [first, second] = departures;
    if (second === undefined) return first;
    const follower = this.#follower(first!);
    if (follower && byPosition(follower, second) < 0) return first;
    const going = departures.filter((node) => this.#goesOn(node));
    const winner = going.length === 1 ? going[0] : undefined;
    for (const node of departures) node.isFork = node !== winner;
    return winner;
  }

  /**
   * The next node that touches the balance at which the node arrived, if that next node leaves from there. A patch decides between no
   * rivals.
   */
  #follower(node: ChainNode): ChainNode | undefined {
    const after = this.nodes.find(
      (other) =>
        other.kind !== 'patch' &&
        !this.#repeats.has(other.id) &&
        byPosition(other, node) > 0 &&
        touchesAt(other, node.balance),
    );
    return after && before(after) === node.balance ? after : undefined;
  }

  #goesOn(node: ChainNode): boolean {
    return this.#follower(node) !== undefined || (node.next !== null && !this.#byId.has(node.next));
  }

  #rooted(arrivals: readonly ChainNode[]): ChainNode {
    if (arrivals.length === 1) return arrivals[0]!;
    const rooted = arrivals.filter((node) => {
      if (this.fromStart && node === this.nodes[0]) return true;
      if (node.previous !== null && !this.#byId.has(node.previous)) return true;
      const origin = this.nodes.findLast(
        (other) =>
          byPosition(other, node) < 0 && !this.#repeats.has(other.id) && touchesAt(other, before(node)),
      );
      return origin?.balance === before(node);
    });
    return rooted.length === 1 ? rooted[0]! : arrivals.at(-1)!;
  }

  /** Links a departure that was reported shortly before its arrival: clocks differ, and some banks name no time. */
  #linkWithinSlack(events: readonly ChainNode[], value: bigint): void {
    const open = events.filter((node) =>
      node.balance === value ? node.next === null : node.previous === null && !node.isFork,
    );
    open.forEach((departure, index) => {
      const arrival = open[index + 1];
      if (!arrival || arrival.balance !== value || before(departure) !== value) return;
      const slack = arrival.isCoarse || departure.isCoarse ? COARSE_SLACK : SLACK;
      if (arrival.minute - departure.minute <= slack && arrival.next === null) this.#link(arrival, departure);
    });
  }

  /**
   * Links two nodes, unless that closes a ring: a link against the order of time can. If both ends lead out of the window, they may meet
   * there, so nothing is linked.
   */
  #link(from: ChainNode, to: ChainNode): void {
    const end = this.#endOf(to, 'next');
    if (end === from || (end.next !== null && this.#endOf(from, 'previous').previous !== null)) return;
    from.next = to.id;
    to.previous = from.id;
  }

  /** The last visible node of a run in one direction. */
  #endOf(node: ChainNode, way: 'next' | 'previous'): ChainNode {
    let end = node;
    for (let at: ChainNode | undefined = node; at; at = this.get(at[way])) end = at;
    return end;
  }

  /** The runs as they are linked now. */
  runs(): readonly LinkedRun[] {
    return (this.#runs ??= linkedRuns(this.nodes, this.#byId, this.#trustedSize));
  }

  #restate(): void {
    this.#runs = undefined;
    const quarantined = new Set(
      this.runs().flatMap(({ isQuarantined, nodes }) => (isQuarantined ? nodes : [])),
    );
    for (const node of this.nodes) node.state = this.#stateOf(node, quarantined.has(node));
  }

  #stateOf(node: ChainNode, isQuarantined: boolean): NodeState {
    if (node.kind === 'patch') return 'patched';
    if (node.kind === 'inferred') return 'inferred';
    if (this.#repeats.has(node.id)) return 'repeat';
    if (node.isFork) return 'fork';
    if (isQuarantined) return 'orphan';
    if (isLinked(node) || (this.fromStart && node === this.nodes[0])) return 'linked';
    const spanned = this.isPassedOver(node.minute, node.minute);
    return spanned === undefined ? node.state : spanned ? 'orphan' : 'pending';
  }

  /** Whether one linked run begins before these minutes and ends after them. Undefined if the window cannot tell. */
  isPassedOver(from: number, to: number): boolean | undefined {
    let answer: boolean | undefined = false;
    for (const { nodes, isOlder, isQuarantined } of this.runs()) {
      const last = nodes.findLast(({ isCoarse }) => !isCoarse);
      if (isQuarantined || last === undefined || last.minute <= to) continue;
      if (nodes[0]!.minute < from) return true;
      if (isOlder) answer = undefined;
    }
    return answer;
  }

  /**
   * Whether a node of another chain lies in time between the node and its neighbours. One of the two chains is forged, and nobody knows
   * which.
   */
  isCrossed(node: ChainNode): boolean {
    const [from, to] = [this.get(node.previous) ?? node, this.get(node.next) ?? node];
    const isBetween = ({ minute, isCoarse }: ChainNode) =>
      !isCoarse && minute > from.minute && minute < to.minute;
    return this.runs().some(
      ({ nodes, isQuarantined }) => !isQuarantined && nodes.some(isBetween) && !nodes.includes(node),
    );
  }
}

const isInHistory = ({ state }: ChainNode): boolean => state !== 'orphan' && state !== 'repeat';

function tellsAgain(node: ChainNode, original: ChainNode): boolean {
  const slack = node.isCoarse || original.isCoarse ? COARSE_REPEAT : SLACK;
  return Math.abs(node.minute - original.minute) <= slack;
}

function touchesAt(node: ChainNode, value: bigint): boolean {
  return node.balance === value || before(node) === value;
}

function takeWhile<Item>(items: readonly Item[], from: number, holds: (item: Item) => boolean): Item[] {
  const rest = items.slice(from);
  const end = rest.findIndex((item) => !holds(item));
  return end === -1 ? rest : rest.slice(0, end);
}
