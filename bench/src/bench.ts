import { readdirSync } from 'node:fs';

/** `npm run bench -- NAME [options]`: NAME is a file of this folder. The files in SHARED are helpers, not benches. */
const SHARED = new Set(['bench', 'cpu', 'rig', 'rounds', 'seed']);
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => !SHARED.has(name));

const [name] = process.argv.splice(2, 1);
if (name !== undefined && names.includes(name)) await import(`./${name}.ts`);
else {
  console.error(`npm run bench -- NAME, one of: ${names.join(', ')}`);
  process.exitCode = 2;
}
