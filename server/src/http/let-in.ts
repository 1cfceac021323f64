/** Keys of callers that were let in, the last ones only. */
export interface LetIn {
  has(key: string): boolean;
  note(key: string): void;
}

/** Beyond this many, the key that was let in longest ago is forgotten. */
const MOST = 20_000;

export function createLetIn(): LetIn {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    note(key) {
      // A set keeps the order in which keys were added.
      keys.delete(key);
      keys.add(key);
      if (keys.size > MOST) keys.delete(keys.values().next().value!);
    },
  };
}
