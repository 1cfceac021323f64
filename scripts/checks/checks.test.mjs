import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../install.mjs';
import { staleFaults } from '../planted-faults.mjs';
import { hasSchemas } from './bundles.mjs';
import { missingDocuments } from './documents.mjs';
import { undeclaredImports } from './packages.mjs';
import { checkRooms, importsOf } from './rooms.mjs';
import { statementNames } from './statement-names.mjs';
import { statusNumbers, statusWrites } from './status-writes.mjs';
import { checkOwners, foreignWrites } from './tables.mjs';

describe('checkRooms', () => {
  const floors = ['http', ['orders', 'people'], '.'];
  const good = [
    {
      path: 'http/call.ts',
      imports: ['./key.ts', '@sangam/contract/codes.ts', '../../../contract/src/codes.ts'],
    },
    { path: 'orders/screen.tsx', imports: ['../http/call.ts', './drawer.tsx'] },
    { path: 'people/parts/dialog.tsx', imports: ['../screen.tsx', '../../http/call.ts'] },
    { path: 'main.ts', imports: ['./orders/screen.tsx', './people/screen.tsx'] },
  ];
  const check = (...planted) => checkRooms('console', floors, [...good, ...planted]);

  it('accepts imports that go down or stay in their room', () => {
    expect(check()).toEqual([]);
  });

  it('refuses an import that goes up', () => {
    expect(check({ path: 'http/prompt.ts', imports: ['../orders/dialog.tsx'] })).toEqual([
      'console/src/http/prompt.ts: room http may not import room orders, which is above it',
    ]);
  });

  it('refuses an import of the files at the top', () => {
    expect(check({ path: 'orders/list.ts', imports: ['../main.ts'] })).toEqual([
      'console/src/orders/list.ts: room orders may not import room ., which is above it',
    ]);
  });

  it('refuses an import of a neighbour, once however often it is made', () => {
    expect(check({ path: 'orders/list.ts', imports: ['../people/a.ts', '../people/b.ts'] })).toEqual([
      'console/src/orders/list.ts: room orders may not import room people, which is beside it',
    ]);
  });

  it('refuses a folder that is not listed, and a listed one that does not exist', () => {
    expect(check({ path: 'attic/box.ts', imports: [] })).toEqual([
      'console/src/attic: is not in console/rooms.json',
    ]);
    expect(checkRooms('console', ['cellar', ...floors], good)).toEqual([
      'console/rooms.json: there is no folder console/src/cellar',
    ]);
  });
});

it('statementNames finds two prepared statements of one name', () => {
  const files = [
    {
      path: 'server/src/a/store.ts',
      text: "hot('find a', sql`select 'find b'`);\nhot(\n  isDesk ? 'x' : 'find b',\n  sql`b`)",
    },
    { path: 'server/src/b/store.ts', text: "\nhot('find a', sql`c`); hot(`late ${round}`, sql`d`)" },
  ];
  expect(statementNames(files)).toEqual([
    "server/src/b/store.ts:2: the prepared statement of server/src/a/store.ts:1 is called 'find a', too",
  ]);
});

describe('staleFaults', () => {
  it('finds a text that is missing from the code, or occurs twice', () => {
    const faults = {
      7: [
        ['a.ts', 'one', ''],
        ['a.ts', 'two', ''],
        ['a.ts', 'none', ''],
      ],
    };
    expect(staleFaults(faults, () => 'one two two')).toEqual([
      'fault 7: a.ts does not say once: two',
      'fault 7: a.ts does not say once: none',
    ]);
  });
});

it('importsOf finds every kind of import', () => {
  const source = `
    import { a } from './a.ts';
    import type { B } from "./b.ts";
    import './c.css';
    export { d } from './d.ts';
    const e = () => import('./e.tsx');
    type F = typeof import('./f.ts');
    import {
      g,
    } from './g.ts';`;
  expect(importsOf(source)).toEqual(['./a.ts', './b.ts', './c.css', './d.ts', './e.tsx', './f.ts', './g.ts']);
});

describe('undeclaredImports', () => {
  const declared = {
    name: '@sangam/server',
    dependencies: { fastify: '5' },
    devDependencies: { '@types/qs': '6' },
  };
  const check = (text, ...more) => undeclaredImports('server/src/a.ts', text, declared, ...more);

  it('accepts what is declared, the workspace itself, files and Node', () => {
    const text = [
      "import Fastify from 'fastify';",
      "import { a } from '@sangam/server/a.ts';",
      "import { b } from './b.ts';",
      "import { join } from 'node:path';",
      "import type { Q } from 'qs';",
    ].join('\n');
    expect(check(text)).toEqual([]);
  });

  it('refuses a file of another workspace by its path', () => {
    expect(check("import { c } from '../../contract/src/codes.ts';")).toEqual([
      'server/src/a.ts: imports contract/src/codes.ts of another workspace by its path, not by its package',
    ]);
  });

  it('refuses an undeclared package, for types too, unless another list declares it', () => {
    const text = "import type { Page } from '@playwright/test/types.ts';";
    const problem = 'server/src/a.ts: imports @playwright/test, which its package.json does not declare';
    expect(check(text)).toEqual([problem]);
    expect(check(text, { devDependencies: { '@playwright/test': '1' } })).toEqual([]);
  });

  it('does not take a text for an import', () => {
    expect(check("const text = \"reads from 'somewhere'\";\nconst sql = `select a from 'x'`;")).toEqual([]);
  });
});

describe('statusNumbers', () => {
  it('refuses a status that SQL compares with a number', () => {
    const text =
      'sql`select from payout_orders o\n  where o.status not in (4, 6) and o.from_status = 2`;\n sql`case o.status when 3 then 1 end`';
    const problem = 'a status has a name, see platform/db/statuses.ts';
    expect(statusNumbers('server/src/payout/list.ts', text)).toEqual([
      `server/src/payout/list.ts:2: ${problem}`,
      `server/src/payout/list.ts:2: ${problem}`,
      `server/src/payout/list.ts:3: ${problem}`,
    ]);
    expect(statusNumbers('server/src/payout/list.ts', 'sql`status = ${PAYOUT.waiting}`')).toEqual([]);
  });
});

describe('statusWrites', () => {
  it('refuses a status of an order or payout changed outside transition', () => {
    const text =
      'await tx.query(sql`\n  update payout_orders o set utr = ${utr}, status = 3 where id = ${id}`);';
    expect(statusWrites('server/src/payout/complete.ts', text)).toEqual([
      "server/src/payout/complete.ts:2: an order's status changes by transition() only",
    ]);
    expect(statusWrites('server/src/history/transition.ts', text)).toEqual([]);
  });

  it('accepts other columns, conditions on the status, and other tables', () => {
    const text = [
      'sql`update payout_orders set utr = ${utr} where status = 3`',
      'sql`update approvals set status = 1`',
      'sql`update collection_orders set supplement_status = 1 where id = 1`',
    ].join(';\n');
    expect(statusWrites('server/src/payout/complete.ts', text)).toEqual([]);
  });
});

describe('missingDocuments', () => {
  const pages = new Map([
    ['README.md', '# Sangam'],
    ['docs/domain.md', '# Domain\n## Trusted chain\n### What must hold'],
  ]);
  const check = (text, path = 'server/src/a.ts') => missingDocuments(path, text, pages);

  it('accepts documents and headings that exist, and links between pages', () => {
    expect(check('/** As docs/domain.md#trusted-chain says; see README.md. */')).toEqual([]);
    expect(
      check('[chain](domain.md#what-must-hold), [home](../README.md), [here](#domain)', 'docs/domain.md'),
    ).toEqual([]);
  });

  it('refuses a document or a heading that does not exist', () => {
    expect(check('a\n// docs/rails.md says so')).toEqual([
      'server/src/a.ts:2: there is no document docs/rails.md',
    ]);
    expect(check('// domain.md 4.1')).toEqual(['server/src/a.ts:1: there is no document domain.md']);
    expect(check('// docs/domain.md#leaks')).toEqual([
      'server/src/a.ts:1: docs/domain.md has no heading #leaks',
    ]);
    expect(check('// as in seed section 5')).toEqual([
      'server/src/a.ts:1: refers to a document that is not here',
    ]);
    expect(check('[rails](rails.md)', 'docs/domain.md')).toEqual([
      'docs/domain.md:1: there is no document docs/rails.md',
    ]);
  });
});

describe('tables', () => {
  const owners = { ledger: ['postings'], inbox: ['letters'] };

  it('refuses a statement that writes another room’s table', () => {
    const writes = (statement, room = 'inbox') =>
      foreignWrites(owners, `server/src/${room}/a.ts`, `sql\`${statement}\``);
    for (const statement of [
      'insert into postings (id) values (1)',
      'update postings set at = 1',
      'with gone as (delete from postings returning id) select 1',
    ])
      expect(writes(statement)).toEqual([
        'server/src/inbox/a.ts:1: writes postings, which is of the room ledger',
      ]);
    expect(writes('select 1 from postings')).toEqual([]);
    expect(writes('update postings set at = 1', 'ledger')).toEqual([]);
    expect(writes('update letters set at = 1')).toEqual([]);
  });

  it('refuses a table that no room owns, that two own, or that does not exist', () => {
    const schema = 'CREATE TABLE postings (\n);\nCREATE TABLE letters (\n);\nCREATE TABLE visits (\n);';
    expect(checkOwners({ ledger: ['postings', 'letters'], inbox: ['letters', 'mails'] }, schema)).toEqual([
      'server/tables.json: no room owns visits',
      'server/tables.json: there is no table mails',
      'server/tables.json: two rooms own letters',
    ]);
  });
});

describe('lint of the console', () => {
  let folder;
  let problems;
  const router =
    "import { useSearchParams } from 'react-router';\nexport const useQuery = () => useSearchParams();\n";
  const component = (lines) =>
    `export function Page() {\n${'  void 0;\n'.repeat(lines - 3)}  return <p />;\n}\n`;
  const planted = {
    'console/src/banks/use-query.ts': router,
    'console/src/shell/use-query.ts': router,
    'console/src/banks/long.tsx': component(121),
    'console/src/banks/short.tsx': component(120),
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sangam-lint-'));
    // Types are not needed here, and the type-checking tool is not found from this folder.
    const config = readFileSync(join(root, '.oxlintrc.json'), 'utf8').replace(
      '"typeAware": true',
      '"typeAware": false',
    );
    writeFileSync(join(folder, '.oxlintrc.json'), config);
    for (const [path, text] of Object.entries(planted)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json'], {
      cwd: folder,
      encoding: 'utf8',
    });
    problems = JSON.parse(stdout).diagnostics.map(({ code, filename }) => `${filename} ${code}`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('refuses the router outside the shell, and components of more than 120 lines', () => {
    expect(problems.toSorted()).toEqual([
      'console/src/banks/long.tsx eslint(max-lines-per-function)',
      'console/src/banks/use-query.ts eslint(no-restricted-imports)',
    ]);
  });
});

describe('hasSchemas', () => {
  /** The code of one file of the contract with all its imports, as a browser would get it. */
  async function built(file) {
    const [{ output }] = await build({
      configFile: false,
      logLevel: 'silent',
      build: { write: false, lib: { entry: join(root, 'contract/src', file), formats: ['es'] } },
    });
    return output[0].code;
  }

  it('finds zod behind a constant of a file of endpoints, and none behind one of the contract', async () => {
    expect(hasSchemas(await built('endpoints/archive.ts'))).toBe(true);
    expect(hasSchemas(await built('archive.ts'))).toBe(false);
  });
});
