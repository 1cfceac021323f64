interface Limits<Input, Output> {
  readonly batch: number;
  readonly inFlight: number;
  /** Where nobody waits for the answer: a call begins so long after its first request, ms, and takes more along. */
  readonly delay?: number;
  readonly fair?: Fairness<Input, Output>;
}

/** Whoever asks much waits behind itself, and not before the others. */
export interface Fairness<Input, Output> {
  /** Whose request it is. */
  readonly between: (input: Input) => unknown;
  /** So many requests of one may wait. */
  readonly most: number;
  /** What one more is answered. */
  readonly full: Output;
}

/**
 * Gathers concurrent single requests into set-based calls. Alone, a request goes straight through; under load, what
 * arrived while the calls in flight were busy goes as one batch (measured: 0.5 of pgbench one by one, 3.1 gathered).
 * A batch takes one request of each asker in turn.
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
  /** By asker, in the order of their turns. */
  const queues = new Map<unknown, Waiting[]>();
  let inFlight = 0;
  let scheduled = false;

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const outputs = await run(batch.map(({ input }) => input));
      batch.forEach(({ resolve }, index) => resolve(outputs[index]!));
    } catch (error) {
      // One bad request must not fail its neighbours: each is tried alone.
      if (batch.length === 1) batch[0]!.reject(error);
      else for (const waiting of batch) await runBatch([waiting]);
    }
  }

  function nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    // Who has more goes to the end of the line, where this loop meets it again.
    for (const [asker, queue] of queues) {
      if (batch.length === limits.batch) break;
      batch.push(queue.shift()!);
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

  /** After what the sockets have brought by now: otherwise the first request of a burst goes alone and the rest wait for it. */
  function schedule(): void {
    if (scheduled || queues.size === 0) return;
    scheduled = true;
    if (limits.delay === undefined) setImmediate(pump);
    else setTimeout(pump, limits.delay);
  }

  return (input) =>
    new Promise((resolve, reject) => {
      const asker = fair?.between(input);
      const queue = queues.get(asker);
      if (fair && queue && queue.length >= fair.most) return resolve(fair.full);
      if (queue) queue.push({ input, resolve, reject });
      else queues.set(asker, [{ input, resolve, reject }]);
      schedule();
    });
}
