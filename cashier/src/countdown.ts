const SECOND = 1000;
/** Two readings of one deadline that differ by less than this differ only by network jitter. */
const JITTER_MS = 750;

/**
 * The moment (on the `performance.now` clock) at which an order expires. The server measured `remainingMs` at some
 * instant between sending the request and receiving the answer; the middle halves the error of a slow line.
 */
export function deadlineOf(remainingMs: number, sentAt: number, receivedAt: number): number {
  return (sentAt + receivedAt) / 2 + remainingMs;
}

/** Takes the newer reading of a deadline, unless it differs only by jitter, which would make the shown seconds jump. */
export function resync(known: number | undefined, read: number): number {
  return known !== undefined && Math.abs(known - read) < JITTER_MS ? known : read;
}

/** `14:09`, or `1:02:03` from one hour on. Seconds are rounded up: 0:00 means over. */
export function formatRemaining(remainingMs: number): string {
  const total = Math.max(0, Math.ceil(remainingMs / SECOND));
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = String(total % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`;
}

/** How long the shown text stays true. A clock that ticks after this time neither drifts nor skips a second. */
export function untilNextSecond(remainingMs: number): number {
  const rest = remainingMs % SECOND;
  return rest > 0 ? rest : SECOND;
}
