/**
 * Runs `work` while this window holds a lock that only one window of the browser can hold. When that window closes, another takes
 * over. Where the browser has no locks, every window runs `work`. `over` releases the lock and ends `work`.
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
