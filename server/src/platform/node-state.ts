import type { Platform } from './platform.ts';

/** What a node keeps in memory: caches, gathered calls, timers. Created at the start, ended by `stop`. */
export interface NodeState {
  /** The object stored under this key. The first call makes it. */
  of<Made>(key: symbol, make: () => Made): Made;
  /** Runs `work` every `ms` until the node stops. The timer alone keeps no process alive. */
  every(ms: number, work: () => void): void;
  stop(): void;
}

export function createNodeState(): NodeState {
  const made = new Map<symbol, unknown>();
  const timers = new Set<NodeJS.Timeout>();
  return {
    of<Made>(key: symbol, make: () => Made): Made {
      if (!made.has(key)) made.set(key, make());
      return made.get(key) as Made;
    },
    every(ms, work) {
      timers.add(setInterval(work, ms).unref());
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
      made.clear();
    },
  };
}

/** Declares a part of the node's state. The module that owns the part calls this. */
export function perPlatform<Made>(make: (platform: Platform) => Made): (platform: Platform) => Made {
  const key = Symbol(make.name);
  return (platform) => platform.state.of(key, () => make(platform));
}
