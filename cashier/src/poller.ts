export interface Poller {
  /** Asks at once. An answer still under way is dropped, because it may be out of date. */
  now: () => void;
  stop: () => void;
}

export interface PollerOptions<Answer> {
  readonly ask: (signal: AbortSignal) => Promise<Answer>;
  /** Takes an answer and returns the wait in milliseconds before the next request; undefined ends the polling. */
  readonly take: (answer: Answer) => number | undefined;
  /** The poller rests while this is false. The code that makes it true again calls `now`. */
  readonly visible: () => boolean;
}

/** Polls with one request at a time. The wait counts from the previous answer. */
export function startPoller<Answer>({ ask, take, visible }: PollerOptions<Answer>): Poller {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;

  const stop = (): void => {
    clearTimeout(timer);
    asking?.abort();
  };
  const poll = async (): Promise<void> => {
    stop();
    if (!visible()) return;
    const current = new AbortController();
    asking = current;
    const answer = await ask(current.signal);
    if (current.signal.aborted) return;
    const wait = take(answer);
    if (wait !== undefined) timer = setTimeout(now, wait);
  };
  const now = (): void => void poll();

  now();
  return { now, stop };
}
