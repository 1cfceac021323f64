/** The console counts as left alone after this long without input. It is well below the server's shortest idle limit, one hour. */
const ALONE_MS = 60_000;

let touchedAt = Date.now();

for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
  addEventListener(event, () => (touchedAt = Date.now()), { passive: true, capture: true });

/** Whether nobody has touched this window of the console for a minute. */
export const isUnattended = (): boolean => Date.now() - touchedAt > ALONE_MS;
