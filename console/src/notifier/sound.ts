import { useSyncExternalStore } from 'react';

/** Browsers allow sound only after a gesture in the page. Until then there is no audio context. */
let audio: AudioContext | undefined;
const listeners = new Set<() => void>();

function unlock(): void {
  audio ??= new AudioContext();
  void audio.resume().then(() => listeners.forEach((listener) => listener()));
  for (const gesture of ['pointerdown', 'keydown']) removeEventListener(gesture, unlock);
}
for (const gesture of ['pointerdown', 'keydown']) addEventListener(gesture, unlock);

/** Two short rising tones: audible across a room, but not tiring. */
const TONES = [
  { hertz: 880, atSeconds: 0 },
  { hertz: 1174.66, atSeconds: 0.18 },
] as const;
const TONE_SECONDS = 0.16;
const LOUDNESS = 0.25;

/** Plays the sound of a new order. Silent until the user has touched the page. */
export function ring(): void {
  if (!audio) return;
  for (const { hertz, atSeconds } of TONES) {
    const start = audio.currentTime + atSeconds;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
}

export function useMaySound(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => audio !== undefined,
  );
}
