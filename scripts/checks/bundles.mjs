import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../install.mjs';

const KB = 1000;
/** The payer is on a slow mobile connection. */
const CASHIER_WHOLE = 100 * KB;
/**
 * The sign-in page comes without the console. It contains the table of screens (about 60 bytes each), the names of all files (about
 * 20 bytes each), and the ways to sign in: passkey and company.
 */
const CONSOLE_FIRST = 27.5 * KB;
/** All of the supplier's phone app with all its languages. The first visit transfers only one of them. */
const PHONE_WHOLE = 150 * KB;

export function checkBundles() {
  const cashier = sum(filesIn('cashier/dist').filter((path) => /\.(js|css|html)$/.test(path)));
  const console_ = sum(firstFiles('console/dist'));
  const phone = sum(filesIn('console/phone/dist').filter((path) => /\.(js|css|html)$/.test(path)));
  const problems = [];
  if (cashier > CASHIER_WHOLE) problems.push(over('cashier, everything', cashier, CASHIER_WHOLE));
  if (console_ > CONSOLE_FIRST) problems.push(over('console, the sign-in page', console_, CONSOLE_FIRST));
  if (phone > PHONE_WHOLE) problems.push(over("supplier's phone, everything", phone, PHONE_WHOLE));
  // A browser needs the contract's definitions, not its schemas: zod, which checks them, is a tenth of the console.
  for (const path of filesIn('console/dist').filter((name) => name.endsWith('.js')))
    if (hasSchemas(readFileSync(join(root, path), 'utf8')))
      problems.push(
        `${path}: zod is in it. A constant that the console reads stands in a file of the contract without schemas`,
      );
  return {
    problems,
    summary: `cashier ${inKb(cashier)}, sign-in page ${inKb(console_)}, phone ${inKb(phone)}`,
  };
}

/** Whether a built file contains the code of zod. */
export const hasSchemas = (script) => script.includes('ZodError');

/** The files that index.html names: the entry, its immediate imports (vite lists them as modulepreload), and the styles. */
function firstFiles(dist) {
  const html = readFileSync(join(root, dist, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, url]) => url);
  const all = filesIn(dist);
  const wanted = named.map((url) => all.find((path) => path.endsWith(`/${url.split('/').at(-1)}`)));
  return [`${dist}/index.html`, ...wanted.filter(Boolean)];
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
}

function sum(paths) {
  return paths.reduce((total, path) => total + gzipSync(readFileSync(join(root, path))).length, 0);
}

function over(what, size, budget) {
  return `${what}: ${inKb(size)} gzipped, at most ${inKb(budget)}`;
}

function inKb(bytes) {
  return `${(bytes / KB).toFixed(1)} kB`;
}
