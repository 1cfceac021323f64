interface Limits<Input, Output> {
  readonly batch: number;
  readonly inFlight: number;
  /** For requests nobody waits for: how many ms after its first request a call begins, so that it takes more requests along. */
  readonly delay?: number;
  readonly fair?: Fairness<Input, Output>;
}

/** How long after a request of another asker an asker counts as not alone, in ms. */
const SHARED = 1_000;

/** Limits for one asker, so that an asker with many requests delays only itself. */
export interface Fairness<Input, Output> {
  /** The asker of a request. */
  readonly between: (input: Input) => unknown;
  /** How many requests of one asker a batch takes while others ask too. A larger batch takes longer, and all in it wait for its end. */
  readonly atOnce: number;
  /** How many requests of one asker may wait. */
  readonly most: number;
  /** The answer to a request beyond that. */
  readonly full: Output;
}

/**
 * Gathers concurrent single requests into set-based calls. A request alone runs at once. Under load, the requests that came while earlier
 * calls were running go as one batch (measured: 0.5 of pgbench one by one, 3.1 gathered). A batch takes one request of each asker in turn.
 */
export function gather<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  limits: Limits<Input, Output>,
): (input: Input) => Promise<Output> {
  interface Waiting {
    readonly input: Input;
    readonly resolve: (output: Output) => void;
    readonly reject: (error: unknown) => void;
  }
  const { fair } = limits;
  /** Waiting requests by asker, in the order of the askers' turns. */
  const queues = new Map<unknown, Waiting[]>();
  let lastAsker: unknown;
  /** While one asker asks alone, its batches are as large as any. */
  let sharedUntil = 0;
  let inFlight = 0;
  let scheduled = false;

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const outputs = await run(batch.map(({ input }) => input));
      batch.forEach(({ resolve }, index) => resolve(outputs[index]!));
    } catch (error) {
      // One bad request must not fail the others of its batch, so each is tried alone.
      if (batch.length === 1) batch[0]!.reject(error);
      else for (const waiting of batch) await runBatch([waiting]);
    }
  }

  function nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const most = fair && performance.now() < sharedUntil ? fair.atOnce : limits.batch;
    const taken = new Map<unknown, number>();
    // An asker with more requests goes to the end of the map, where this loop meets it again.
    for (const [asker, queue] of queues) {
      const before = taken.get(asker) ?? 0;
      // An asker that has had all its turns comes after everybody else's last turn.
      if (batch.length === limits.batch || before === most) break;
      batch.push(queue.shift()!);
      taken.set(asker, before + 1);
      queues.delete(asker);
      if (queue.length > 0) queues.set(asker, queue);
    }
    return batch;
  }

  function pump(): void {
    scheduled = false;
    while (inFlight < limits.inFlight && queues.size > 0) {
      inFlight += 1;
      void runBatch(nextBatch()).finally(() => {
        inFlight -= 1;
        schedule();
      });
    }
  }

  /**
   * Runs after the requests that the sockets have already brought. Otherwise the first request of a burst would go alone and the rest would
   * wait for it.
   */
  function schedule(): void {
    if (scheduled || queues.size === 0) return;
    scheduled = true;
    if (limits.delay === undefined) setImmediate(pump);
    else setTimeout(pump, limits.delay);
  }

  return (input) =>
    new Promise((resolve, reject) => {
      const asker = fair?.between(input);
      if (asker !== lastAsker) {
        if (lastAsker !== undefined) sharedUntil = performance.now() + SHARED;
        lastAsker = asker;
      }
      const queue = queues.get(asker);
      if (fair && queue && queue.length >= fair.most) return resolve(fair.full);
      if (queue) queue.push({ input, resolve, reject });
      else queues.set(asker, [{ input, resolve, reject }]);
      schedule();
    });
}
