// `npm run test:install`: follows docs/deploying.md from an empty folder. It runs the blocks marked `sh run` unchanged, in one
// shell, in a clean clone of the committed code, with its own PostgreSQL. Then the command of deploy/sangam.service starts the
// node, and a first superAdmin signs in as through the TLS proxy. Takes minutes, because npm installs everything anew.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './install.mjs';
import { startEmbedded } from '../server/src/platform/db/embedded.ts';

const NOT_RUN = ['packages and the user', 'systemd: its ExecStart runs here without it', 'the TLS proxy'];
const LONGEST_START = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'sangam-install-'));
const page = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh run\n([\s\S]*?)^```$/gm)].map((match) => match[1]);
const port = await freePort();
const database = await startEmbedded({ dataDir: join(folder, 'postgres'), log: () => undefined });
let node;

try {
  const admin = new URL(database.url);
  admin.pathname = '/postgres';
  // Removes what the embedded PostgreSQL has and an empty server has not.
  shell(`psql -q ${admin.href} -c 'drop database sangam' -c 'drop role sangam_app'`);
  const opt = join(folder, 'opt');
  const etc = join(folder, 'etc');
  mkdirSync(etc);
  // What a test cannot have: root, fixed ports, and the system's own PostgreSQL.
  const replaced = [
    ['sudo -u postgres psql', `psql ${admin.href}`],
    [/sudo -u sangam (--preserve-env )?/g, ''],
    ['REPOSITORY', root],
    ['/opt/sangam', opt],
    ['/etc/', `${etc}/`],
    ['127.0.0.1:5432', `127.0.0.1:${admin.port}`],
    ['127.0.0.1:8080', `127.0.0.1:${port}`],
    ['PORT=8080', `PORT=${port}`],
  ];
  const literal = (text) => replaced.reduce((result, [from, to]) => result.replaceAll(from, to), text);
  const probe = blocks.findIndex((block) => block.includes('/healthz'));
  if (probe === -1) throw new Error('docs/deploying.md has no block that asks /healthz.');

  const installed = shell(blocks.slice(0, probe).map(literal).join('\n'));
  const links = [...installed.matchAll(/\/setPasswords#([\w-]{43})/g)].map((match) => match[1]);
  must(links.length === 2, `two first superAdmins get a link each; there are ${links.length}`);
  const roles = shell(
    `psql ${admin.href} -Atc "select rolname, rolsuper from pg_roles where rolname like 'sangam\\_%' order by 1"`,
  );
  must(roles.trim() === 'sangam_app|f\nsangam_owner|f', `two roles, none a superuser: ${roles}`);
  console.log('installed: the blocks before the start ran as they stand');

  await start(opt, etc);
  shell(literal(blocks[probe]));
  await signIn(links[0]);
  console.log('started: a first superAdmin set its passwords and signed in as through the proxy');
  killAll();
  await ended();
  await start(opt, etc);
  shell(literal(blocks[probe]));
  console.log('killed and started again, as Restart=always does');
  const asked = Date.now();
  node.kill('SIGTERM');
  must((await ended()) === 0 && Date.now() - asked < 15_000, 'SIGTERM ends the node within TimeoutStopSec');
  console.log(`ok. Not run here: ${NOT_RUN.join('; ')}.`);
} finally {
  if (node) killAll();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a script like root's shell, in production, with no variable of this environment except the paths of programs. */
function shell(script) {
  const { PATH, HOME } = process.env;
  const result = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: withoutModules(PATH), HOME, NODE_ENV: 'production' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status !== 0)
    throw new Error(
      `A command of docs/deploying.md failed (${result.status}).\n${result.stdout}\n${result.stderr}`,
    );
  return result.stdout;
}

/** Starts the command of the unit, with the variables of its environment file. */
async function start(opt, etc) {
  const unit = readFileSync(join(opt, 'deploy/sangam.service'), 'utf8');
  const [, command] = /^ExecStart=\/usr\/bin\/(.*)$/m.exec(unit);
  must(
    /^Restart=always$/m.test(unit) && /^EnvironmentFile=\/etc\/sangam\.env$/m.test(unit),
    'the unit restarts a node and reads /etc/sangam.env',
  );
  const variables = readFileSync(join(etc, 'sangam.env'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  const { PATH, HOME } = process.env;
  node = spawn('bash', ['-c', `exec ${command}`], {
    cwd: opt,
    env: { PATH: withoutModules(PATH), HOME, ...Object.fromEntries(variables) },
    // In a process group of its own, like the unit.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [node.stdout, node.stderr]) stream.on('data', (chunk) => (said += chunk));
  const until = Date.now() + LONGEST_START;
  while (Date.now() < until && node.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`The node did not start.\n${said}`);
}

/** Kills npm and the node it started, as systemd kills a unit. */
function killAll() {
  try {
    process.kill(-node.pid, 'SIGKILL');
  } catch (error) {
    // It has ended already.
    if (error.code !== 'ESRCH') throw error;
  }
}

function ended() {
  return node.exitCode !== null || node.signalCode !== null
    ? node.exitCode
    : new Promise((resolve) => node.once('exit', (code) => resolve(code)));
}

/** Signs in with the headers that Caddy adds to a browser's calls. */
async function signIn(token) {
  const ask = (path, body) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': '198.51.100.7',
        'x-forwarded-proto': 'https',
        'sec-fetch-site': 'same-origin',
      },
      body: JSON.stringify(body),
    });
  const passwords = { password: 'Quiet harbour 7', payPassword: 'Loud harbour 8' };
  const set = await (await ask('/v1.0/user/setPasswords', { token, ...passwords })).json();
  must(set.code === 200 && set.data.account === 'anna', `the link sets passwords: ${JSON.stringify(set)}`);
  const answer = await ask('/v1.0/user/login', { userName: 'anna', password: passwords.password });
  const cookie = answer.headers.get('set-cookie') ?? '';
  must((await answer.json()).code === 1006, 'the first sign-in asks to bind an authenticator');
  must(cookie.startsWith('__Host-') && /; Secure/i.test(cookie), `the cookie is a __Host- one: ${cookie}`);
  const html = await (
    await fetch(`http://127.0.0.1:${port}/login`, { headers: { accept: 'text/html' } })
  ).text();
  must(html.includes('<script'), 'the console was built');
}

function must(holds, what) {
  if (!holds) throw new Error(`Not so: ${what}.`);
}

/** The PATH without this tree's node_modules/.bin, which npm puts first: an empty machine has only its own Node. */
function withoutModules(path) {
  return (path ?? '')
    .split(':')
    .filter((each) => !each.includes('node_modules'))
    .join(':');
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: free } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return free;
}
