// Builds the console, the supplier's phone app and the cashier into their dist folders, but only when their sources have changed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as gzipOf } from 'node:zlib';
import { root } from './install.mjs';

const brotli = promisify(brotliCompress);
const gzip = promisify(gzipOf);
const apps = ['console', 'console/phone', 'cashier'];

/** Rejects with vite's own output when a build fails. */
export async function buildApps() {
  const stale = apps
    .map((app) => ({ app, hash: hashOf(app) }))
    .filter(({ app, hash }) => hash !== builtHash(app));
  if (stale.length === 0) return;
  console.log(`Building ${stale.map(({ app }) => app).join(' and ')} ...`);
  const started = Date.now();
  await Promise.all(stale.map(build));
  console.log(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

async function build({ app, hash }) {
  // The stamp is removed first: an interrupted build must not look finished.
  rmSync(stampOf(app), { force: true });
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--outDir', 'dist', '--emptyOutDir', '--logLevel', 'warn'];
  const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' };
  const child = spawn(process.execPath, args, {
    cwd: join(root, app),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`The ${app} did not build:\n${output.trim()}`);
  await compress(join(root, app, 'dist'));
  mkdirSync(join(root, 'node_modules', '.cache', 'sangam'), { recursive: true });
  writeFileSync(stampOf(app), hash);
}

/** Writes a .br and a .gz beside each text file, at the highest compression. The server sends them to clients that accept them. */
async function compress(dist) {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|html|svg|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const text = readFileSync(file);
      const options = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
      const [br, gz] = await Promise.all([brotli(text, options), gzip(text, { level: 9 })]);
      writeFileSync(`${file}.br`, br);
      writeFileSync(`${file}.gz`, gz);
    }),
  );
}

/** The stamp is in node_modules, not in dist, because the server publishes dist. */
function stampOf(app) {
  return join(root, 'node_modules', '.cache', 'sangam', `${app.replace('/', '-')}.built`);
}

function builtHash(app) {
  if (!existsSync(join(root, app, 'dist', 'index.html'))) return undefined;
  return existsSync(stampOf(app)) ? readFileSync(stampOf(app), 'utf8') : undefined;
}

function hashOf(app) {
  const hash = createHash('sha256').update(root);
  const folders = [app.split('/')[0], 'contract'].flatMap((folder) => filesIn(folder));
  for (const file of [...folders, 'tsconfig.base.json', 'package-lock.json']) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !['dist', 'node_modules'].includes(name) && !/\.test\.tsx?$/.test(name))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesIn(path) : [path];
    })
    .sort((a, b) => (a < b ? -1 : 1));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await buildApps();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
