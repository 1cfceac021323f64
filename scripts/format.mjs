// `npm run format` applies the formatting that `npm run check` requires.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './install.mjs';

const args = process.argv.slice(2);
const oxfmt = join(root, 'node_modules', 'oxfmt', 'bin', 'oxfmt');
process.exitCode = spawnSync(process.execPath, [oxfmt, ...args], { cwd: root, stdio: 'inherit' }).status ?? 1;
