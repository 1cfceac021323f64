import { session } from './session.ts';

/** Choices of a user stored in this browser: columns, density, page size, menu. A value that cannot be read counts as unset. */
const listeners = new Set<() => void>();
const parsed = new Map<string, { text: string | null; value: unknown }>();

/** While the viewer sees the console as another user, the choices of both users stay unchanged. */
const keyOf = (userId: string, name: string) =>
  session.isSeeing() ? `sangam.seen.${userId}.${name}` : `sangam.user.${userId}.${name}`;

export function readPreference(userId: string, name: string): unknown {
  const key = keyOf(userId, name);
  const text = localStorage.getItem(key);
  const known = parsed.get(key);
  if (known?.text === text) return known.value;
  let value: unknown;
  try {
    value = text === null ? undefined : JSON.parse(text);
  } catch {
    value = undefined;
  }
  parsed.set(key, { text, value });
  return value;
}

export function writePreference(userId: string, name: string, value: unknown): void {
  const key = keyOf(userId, name);
  if (value === undefined) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(value));
  listeners.forEach((listener) => listener());
}

/** Calls `listener` after every choice made in this window. */
export function subscribeToPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
