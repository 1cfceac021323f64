/**
 * Runs `work` while this window holds a lock that one window of the browser holds at a time; another takes over when it
 * goes. Where the browser has no locks every window holds its own. `over` gives it back, and `work` ends with it.
 */
export function holdLock(name: string, over: AbortSignal, work: (over: AbortSignal) => void): void {
  const hold = () =>
    new Promise<void>((done) => {
      if (over.aborted) return done();
      over.addEventListener('abort', () => done());
      return work(over);
    });
  if ('locks' in navigator) navigator.locks.request(name, { signal: over }, hold).catch(() => undefined);
  else void hold();
}
