import { dirname, join } from 'node:path';
import { missingDocuments } from './documents.mjs';
import { linesMatching, ourFiles, textOf } from './files.mjs';
import { checkRooms, importsOf } from './rooms.mjs';
import { undeclaredImports } from './packages.mjs';
import { FAULTS, staleFaults } from '../planted-faults.mjs';
import { statementNames } from './statement-names.mjs';
import { statusNumbers, statusWrites } from './status-writes.mjs';
import { checkOwners, foreignWrites } from './tables.mjs';

const isTest = (path) => /\.(test|fixture)\.tsx?$/.test(path) || path.includes('/testing/');
const isShipped = (path) => /^(contract|server|console|cashier)\/.*\.tsx?$/.test(path) && !isTest(path);

const TABLES = JSON.parse(textOf('server/tables.json'));

const ROOT = JSON.parse(textOf('package.json'));

const usesTools = (path) => isTest(path) || path.endsWith('vite.config.ts');

/** Rules that no general linter has. */
export function checkHouseRules() {
  const files = ourFiles();
  const ofServer = files.filter((path) => /^server\/src\/.*\.ts$/.test(path) && !isTest(path));
  return [
    ...files.filter(isShipped).flatMap(floatMoney),
    ...files.filter((path) => path.endsWith('.sql')).flatMap(floatColumns),
    ...ofServer.flatMap((path) => [
      ...statusWrites(path, textOf(path)),
      ...statusNumbers(path, textOf(path)),
      ...foreignWrites(TABLES, path, textOf(path)),
    ]),
    ...staleFaults(FAULTS, (file) => textOf(`server/src/${file}`)),
    ...statementNames(ofServer.map((path) => ({ path, text: textOf(path) }))),
    ...documentsOf(files),
    ...checkOwners(TABLES, textOf('server/migrations/generated/schema.sql')),
    ...ROOT.workspaces.flatMap((workspace) => packagesOf(workspace, files)),
    ...['server', 'console'].flatMap((workspace) => roomsOf(workspace, files)),
    ...ofServer.flatMap(storesOfOthers),
    ...files
      .filter((path) => /\.(md|json|[cm]?js|tsx?|sql|css|html|ya?ml|sh)$|^[^.]+$|\/run$/.test(path))
      .flatMap(machineTraces),
  ];
}

/**
 * Money is integers. Only contract/src/money.ts writes and reads the text of an amount, digit by digit. Milliseconds shown as
 * seconds are not money.
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

/** A room's tables belong to that room; other rooms call its functions. */
function storesOfOthers(path) {
  const home = dirname(path).split('/')[2];
  return importsOf(textOf(path))
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => join(dirname(path), specifier))
    .filter((target) => /(?:\/|-)store\.ts$/.test(target) && target.split('/')[2] !== home)
    .map((target) => `${path}: imports the store of another room, ${target}`);
}

/** Checks what code, scripts and pages say about documents. The tests of the checks contain wrong names on purpose. */
function documentsOf(files) {
  const pages = new Map(files.filter((path) => path.endsWith('.md')).map((path) => [path, textOf(path)]));
  return files
    .filter((path) => /\.(?:md|tsx?|mjs|sql|css)$/.test(path) && !path.startsWith('scripts/checks/'))
    .flatMap((path) => missingDocuments(path, textOf(path), pages));
}

/** Checks the imports of a workspace against its package.json. Tests and the build may also use the tools that the root declares. */
function packagesOf(workspace, files) {
  const declared = JSON.parse(textOf(`${workspace}/package.json`));
  return files
    .filter(
      (path) => path.startsWith(`${workspace}/`) && /\.[cm]?tsx?$/.test(path) && !path.endsWith('.d.ts'),
    )
    .flatMap((path) => undeclaredImports(path, textOf(path), declared, ...(usesTools(path) ? [ROOT] : [])));
}

/** Checks the rooms of a workspace against its rooms.json. The texts of the locales are a room too. Tests may import from anywhere. */
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

/** Finds what is true on one machine only: folders of a person, and a particular package registry. */
function machineTraces(path) {
  const pattern =
    /(?<![\w.:/-])\/(?:home|Users|root|work|workspace|builds)\/[\w.-]|"resolved":\s*"\w+:|registry\.npm(?:js)?\./;
  return linesMatching(path, pattern, 'machine path or registry');
}
