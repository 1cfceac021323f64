import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../install.mjs';
import { checkRooms, importsOf } from './rooms.mjs';

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
    // Types are not needed here, and their tool is not found from this folder.
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
