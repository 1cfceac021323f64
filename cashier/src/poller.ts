export interface Poller {
  /** Asks at once. An answer that is still on its way is dropped, because it may be out of date. */
  now: () => void;
  stop: () => void;
}

export interface PollerOptions<Answer> {
  readonly ask: (signal: AbortSignal) => Promise<Answer>;
  /** Takes the answer; returns the wait before the next question, undefined to ask no more by itself. */
  readonly take: (answer: Answer) => number | undefined;
  /** While this is false the poller rests. The code that makes it true again calls `now`. */
  readonly visible: () => boolean;
}

/** One question at a time, the next one counted from the answer to the last. */
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
