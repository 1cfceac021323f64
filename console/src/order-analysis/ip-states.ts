import type { Tone } from '../figures/status.tsx';

/** Colours of the states of a client address. */
export const IP_TONES = {
  ordinary: 'positive',
  abnormal: 'warning',
  frozen: 'negative',
  exempt: 'quiet',
  server: 'quiet',
} as const satisfies Readonly<Record<string, Tone>>;
