import type { Platform } from './platform.ts';

/** What a node keeps in memory beside the database: caches, gathered calls, timers. Made at the start, ended by `stop`. */
export interface NodeState {
  /** What was made under this key, made now if it is asked for first. */
  of<Made>(key: symbol, make: () => Made): Made;
  /** Runs `work` every `ms` until the node stops; alone it keeps no process alive. */
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

/** A part of the node's state, by the module that owns it. */
export function perPlatform<Made>(make: (platform: Platform) => Made): (platform: Platform) => Made {
  const key = Symbol(make.name);
  return (platform) => platform.state.of(key, () => make(platform));
}
