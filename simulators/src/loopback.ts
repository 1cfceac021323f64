const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Refuses every address outside this machine, because the simulators sign as merchants and report as banks. */
export function loopbackUrl(text: string): string {
  if (!URL.canParse(text) || !LOOPBACK.has(new URL(text).hostname)) {
    throw new Error(`${text} is not on this machine: simulators talk to 127.0.0.1 only.`);
  }
  return new URL(text).origin;
}
