import { SECOND } from './clock.ts';
import type { NodeState } from './node-state.ts';

/** A value of the database that a node answers from memory, at most a second old. */
export interface Fresh<Value> {
  /** The value in force. Throws while no read has succeeded yet. */
  now(): Promise<Value>;
  /** Reads the value now. Called after a write: what was before the write is not in force any more when it returns, or later. */
  refresh(): Promise<void>;
}

/** Reads a value now, and then every second until the node stops. If a read fails, the last value stays in force. */
export function keepFresh<Value>(
  state: NodeState,
  read: () => Promise<Value>,
  onFailure: (error: unknown) => void = () => {},
): Fresh<Value> {
  let current = read();
  current.catch(() => {});
  let begun = 0;
  let inForce = 0;
  async function refresh(): Promise<void> {
    begun += 1;
    const turn = begun;
    try {
      const value = await read();
      // A read that began earlier may end later. Its value may be from before a write.
      if (turn < inForce) return;
      inForce = turn;
      current = Promise.resolve(value);
    } catch (error) {
      onFailure(error);
    }
  }
  state.every(SECOND, () => void refresh());
  return { now: () => current, refresh };
}
