import { dirname, join } from 'node:path';
import { linesMatching, ourFiles, textOf } from './files.mjs';
import { checkRooms, importsOf } from './rooms.mjs';

const isTest = (path) => /\.(test|fixture)\.tsx?$/.test(path) || path.includes('/testing/');
const isShipped = (path) => /^(contract|server|console|cashier)\/.*\.tsx?$/.test(path) && !isTest(path);

/** Rules no general linter knows. */
export function checkHouseRules() {
  const files = ourFiles();
  return [
    ...files.filter(isShipped).flatMap(floatMoney),
    ...files.filter((path) => path.endsWith('.sql')).flatMap(floatColumns),
    ...files.filter((path) => /^server\/src\/.*\.ts$/.test(path)).flatMap(importsGoUp),
    ...roomsOf('console', files),
    ...files
      .filter((path) => /\.(md|json|[cm]?js|tsx?|sql|css|html|ya?ml|sh)$|^[^.]+$|\/run$/.test(path))
      .flatMap(machineTraces),
  ];
}

/**
 * Money is integers; text of an amount is made and read by contract/src/money.ts, digit by digit. Milliseconds shown as
 * seconds are nobody's money.
 */
function floatMoney(path) {
  const written = /\bparseFloat\(|^(?!.*\b1_?000\b).*\.toFixed\(/;
  const reckoned = /\b(?:minor|amount|balance|fee)\w*\s*[*/]\s*\d*\.\d/i;
  return [written, reckoned].flatMap((pattern) => linesMatching(path, pattern, 'float money'));
}

function floatColumns(path) {
  return linesMatching(
    path,
    /^(?!\s*--).*\b(?:float[48]?|real|double\s+precision|money)\s*(?:,|$|not|default|check)/i,
    'float column',
  );
}

/**
 * A store is its folder's own: other folders use its commands. The ledger and the database know nothing of what stands
 * above them, but for their routes, which belong to http. Tests may look wherever they need to.
 */
function importsGoUp(path) {
  if (isTest(path)) return [];
  const home = homeOf(path);
  const problems = [];
  for (const [, specifier] of textOf(path).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const target = join(dirname(path), specifier);
    const other = homeOf(target);
    if (other === home) continue;
    if (/(?:\/|-)store\.ts$/.test(target))
      problems.push(`${path}: imports the store of another folder, ${target}`);
    const below = { db: ['', 'db'], ledger: ['', 'db', 'ledger', 'settings'] }[home];
    if (below && !below.includes(other) && !path.endsWith('/routes.ts'))
      problems.push(`${path}: ${home} may not import from ${other} (${target})`);
  }
  return problems;
}

/** Rooms of a workspace by its rooms.json. Texts of the locales are a room too. Tests may look wherever they need to. */
function roomsOf(workspace, files) {
  const src = `${workspace}/src/`;
  const sources = files.filter(
    (path) => path.startsWith(src) && /\.(tsx?|json)$/.test(path) && !isTest(path),
  );
  return checkRooms(
    workspace,
    JSON.parse(textOf(`${workspace}/rooms.json`)),
    sources.map((path) => ({ path: path.slice(src.length), imports: importsOf(textOf(path)) })),
  );
}

/** The first folder under server/src; '' for the files beside them. */
function homeOf(path) {
  return /^server\/src\/([^/]+)\//.exec(path)?.[1] ?? '';
}

/** What is true on one machine only: somebody's folders, and the registry packages happened to come from. */
function machineTraces(path) {
  const pattern =
    /(?<![\w.:/-])\/(?:home|Users|root|work|workspace|builds)\/[\w.-]|"resolved":\s*"\w+:|registry\.npm(?:js)?\./;
  return linesMatching(path, pattern, 'machine path or registry');
}
