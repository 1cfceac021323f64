// `npm run test:serializable [-- PATH...]`: runs the server's tests with every transaction SERIALIZABLE, one commit in twenty
// failing with a simulated error 40001, and no NOTIFY. That is a bad day of a distributed database.
import { spawn } from 'node:child_process';
import { root } from './install.mjs';

const paths = process.argv.slice(2);
const child = spawn(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'server',
    '--testTimeout=90000',
    '--hookTimeout=90000',
    ...paths,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    // Fewer sequences and more time: under SERIALIZABLE each takes several times as long.
    env: { MODEL_FACTOR: '0.02', ...process.env, SANGAM_LANE: 'serializable' },
  },
);
process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
