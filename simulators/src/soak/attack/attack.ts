import type { Demo } from '../../demo-file.ts';
import type { Prng } from '../../prng.ts';
import type { Person } from './people.ts';
import type { ProductionNode } from './production-node.ts';
import type { Trap } from './trap.ts';

/** The targets and helpers of the attacks. */
export interface World {
  readonly demo: Demo;
  readonly node: ProductionNode;
  readonly trap: Trap;
  readonly random: Prng;
  /** Signed-in people, by account name. */
  readonly people: Readonly<Record<string, Person>>;
}

export interface Outcome {
  readonly tried: number;
  /** What an attacker achieved, one sentence each; empty when every defence held. */
  readonly through: readonly string[];
}

export interface Attack {
  readonly name: string;
  run(world: World): Promise<Outcome>;
}

/** Runs `work` for each item, `atOnce` of them at the same time. */
export async function each<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const open = items.entries();
  const worker = async () => {
    for (const [index, item] of open) await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
