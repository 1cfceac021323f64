import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How a soak starts a node: as `npm start` does, with what a machine would be changed for loaded before it (`preload.ts`). */

const SERVER = new URL('../../../server/', import.meta.url);
const FLAGS = JSON.parse(readFileSync(new URL('node-flags.json', SERVER), 'utf8')) as string[];

/** Variables of every node. */
export const NODE_ENV = JSON.parse(readFileSync(new URL('node-env.json', SERVER), 'utf8')) as Readonly<
  Record<string, string>
>;

/** Arguments of the program `node`; a node's own follow them. */
export const NODE_ARGS: readonly string[] = [
  ...FLAGS,
  '--import',
  new URL('./preload.ts', import.meta.url).href,
  fileURLToPath(new URL('src/app/main.ts', SERVER)),
];
