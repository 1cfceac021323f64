interface Entry {
  readonly at: number;
  readonly place: number;
  readonly run: () => void;
}

/** Planned work at moments of a simulation (a binary heap). Work of the same moment runs in the order it was planned. */
export class Agenda {
  readonly #heap: Entry[] = [];
  #places = 0;

  add(at: number, run: () => void): void {
    this.#places += 1;
    const heap = this.#heap;
    heap.push({ at, place: this.#places, run });
    for (let child = heap.length - 1; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!comesBefore(heap[child]!, heap[parent]!)) return;
      [heap[child], heap[parent]] = [heap[parent]!, heap[child]!];
      child = parent;
    }
  }

  /** Runs all work that is due at or before a moment. */
  runUntil(moment: number): void {
    while (this.#heap.length > 0 && this.#heap[0]!.at <= moment) this.#take().run();
  }

  #take(): Entry {
    const heap = this.#heap;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let parent = 0; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      let least = parent;
      if (left < heap.length && comesBefore(heap[left]!, heap[least]!)) least = left;
      if (right < heap.length && comesBefore(heap[right]!, heap[least]!)) least = right;
      if (least === parent) return first;
      [heap[parent], heap[least]] = [heap[least]!, heap[parent]!];
      parent = least;
    }
  }
}

const comesBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.place < b.place);
