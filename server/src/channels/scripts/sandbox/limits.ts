/** What a pay script may use in one call. */
export const LIMITS = {
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  /** Processor time, with our helpers, in ms. */
  cpuMs: 2_000,
  /** From start to end, with the waits for answers, in ms. */
  wholeMs: 10_000,
  fetches: 10,
  requestBytes: 256 * 1024,
  answerBytes: 256 * 1024,
  outputBytes: 64 * 1024,
  logLines: 100,
  logChars: 2_000,
} as const;
