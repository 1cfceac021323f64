import { Resolver } from 'node:dns/promises';

/*
 * Loaded before a node of the soak (`node --import`). It stands for changes to the node's machine: the name server it asks
 * (SOAK_NAME_SERVER), and how far its clock is ahead (SOAK_AHEAD_MS).
 */
const { SOAK_NAME_SERVER: nameServer, SOAK_AHEAD_MS: aheadMs } = process.env;

if (nameServer !== undefined) {
  const told = new WeakSet<Resolver>();
  for (const kind of ['resolve4', 'resolve6'] as const) {
    const ask = Resolver.prototype[kind] as (...args: unknown[]) => unknown;
    Object.assign(Resolver.prototype, {
      [kind](this: Resolver, ...args: unknown[]) {
        if (!told.has(this)) this.setServers([nameServer]);
        told.add(this);
        return ask.apply(this, args);
      },
    });
  }
}

if (aheadMs !== undefined) {
  const Real = Date;
  const now = () => Real.now() + Number(aheadMs);
  globalThis.Date = class extends Real {
    constructor(...args: [] | [number]) {
      super(args.length === 0 ? now() : args[0]);
    }
    static override now = now;
  } as DateConstructor;
}
