import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How a soak starts a node: like `npm start`, with `preload.ts` loaded first, which stands for changes to the machine. */

const SERVER = new URL('../../../server/', import.meta.url);
const FLAGS = JSON.parse(readFileSync(new URL('node-flags.json', SERVER), 'utf8')) as string[];

/** Variables of every node. */
export const NODE_ENV = JSON.parse(readFileSync(new URL('node-env.json', SERVER), 'utf8')) as Readonly<
  Record<string, string>
>;

/** Arguments of the program `node`; those of the individual node follow. */
export const NODE_ARGS: readonly string[] = [
  ...FLAGS,
  '--import',
  new URL('./preload.ts', import.meta.url).href,
  fileURLToPath(new URL('src/app/main.ts', SERVER)),
];
