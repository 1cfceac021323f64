import { existsSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { CHROMIUM_ARGS, systemChromium } from '@sangam/e2e/chromium.ts';
import { type SignedIn, startDemo } from './browser/demo-server.ts';
import { type Answers, type FolderServer, serveFolder } from './browser/folder-server.ts';
import { type PageToOpen, type Visit, visit } from './browser/visit.ts';
import { median } from './rounds.ts';

/*
 * What a first-time browser transfers, and how long it takes, until the sign-in page and the order list are usable. Our build is
 * compared with any other folder of static files: both are served by the same static server and opened in turn by the same
 * Chromium.
 *
 *   npm run bench -- pages [--peer FOLDER --peer-answers FILE.json] [--rounds 5] [--slowdown 4] [--only orderList]
 *
 * FILE.json: {"pages": {"signIn": {"path": "/user/login", "usable": "button:enabled"}, "orderList": {"path", "usable", "count": 20}},
 * "answers": {"GET /api/currentUser": {…}}}. Our own calls get the answers that the real server gave in a visit before the clock
 * starts.
 */
const { values } = parseArgs({
  options: {
    peer: { type: 'string' },
    'peer-answers': { type: 'string' },
    own: { type: 'string', default: fileURLToPath(new URL('../../console/dist', import.meta.url)) },
    rounds: { type: 'string', default: '5' },
    slowdown: { type: 'string', default: '4' },
    only: { type: 'string' },
    port: { type: 'string', default: '8397' },
  },
});
const PAGE_NAMES = ['signIn', 'orderList'] as const;
const rounds = Number(values.rounds);

interface Side {
  readonly name: string;
  readonly server: FolderServer;
  readonly pages: Readonly<Record<(typeof PAGE_NAMES)[number], PageToOpen>>;
  readonly signedIn?: SignedIn;
}

const executablePath = systemChromium();
const browser = await chromium.launch({ args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) });

async function ourSide(): Promise<Side> {
  const answers: Answers = {};
  if (!existsSync(join(values.own, 'index.html'))) throw new Error('the console is not built: npm run build');
  const server = await serveFolder(values.own, answers);
  const pages = {
    signIn: { path: '/login', usable: 'form button[type=submit]:enabled' },
    orderList: { path: '/order/list', usable: '[data-row]', count: 20 },
  };
  const demo = await startDemo(Number(values.port));
  try {
    const signedIn = await demo.signedIn('admin', server.url);
    server.record(demo.url);
    await visit(browser, server.url, pages.orderList, signedIn, 1);
    server.record(undefined);
    return { name: 'ours', server, pages, signedIn };
  } finally {
    await demo.stop();
  }
}

async function peerSide(folder: string, file: string): Promise<Side> {
  const { pages, answers } = JSON.parse(readFileSync(file, 'utf8')) as Pick<Side, 'pages'> & {
    answers: Answers;
  };
  return { name: 'peer', server: await serveFolder(folder, answers), pages };
}

const spread = (numbers: readonly number[]) =>
  `${median(numbers).toFixed(0)} (${Math.min(...numbers).toFixed(0)}–${Math.max(...numbers).toFixed(0)})`;

async function measure(
  sides: readonly Side[],
  page: (typeof PAGE_NAMES)[number],
  slowdown: number,
): Promise<void> {
  const visits = new Map<Side, Visit[]>(sides.map((side) => [side, []]));
  // One round first that does not count: it compresses the files and warms up the browser.
  for (let round = -1; round < rounds; round += 1) {
    for (const side of sides) {
      const state = page === 'orderList' ? side.signedIn : undefined;
      const seen = await visit(browser, side.server.url, side.pages[page], state, slowdown);
      if (round >= 0) visits.get(side)!.push(seen);
    }
  }
  console.log(`${page}, processor slowed ${slowdown} times, load ${loadavg()[0]!.toFixed(1)}`);
  for (const [{ name }, seen] of visits) {
    const kB = (median(seen.map(({ bytes }) => bytes)) / 1000).toFixed(1);
    const usable = spread(seen.map(({ usableMs }) => usableMs));
    console.log(
      `  ${name}: ${kB} kB, usable after ${usable} ms, main thread ${spread(seen.map(({ taskMs }) => taskMs))} ms`,
    );
  }
  const [ours, peer] = sides.map((side) => visits.get(side)!);
  if (!ours || !peer) return;
  const ratio = (of: (one: Visit) => number) => (median(ours.map(of)) / median(peer.map(of))).toFixed(2);
  console.log(
    `  ratio: bytes ${ratio(({ bytes }) => bytes)}, usable ${ratio(({ usableMs }) => usableMs)}, main thread ${ratio(({ taskMs }) => taskMs)}`,
  );
}

const sides: Side[] = [];
try {
  sides.push(await ourSide());
  if (values.peer && values['peer-answers']) sides.push(await peerSide(values.peer, values['peer-answers']));
  for (const page of PAGE_NAMES.filter((name) => !values.only || values.only === name)) {
    for (const slowdown of new Set([1, Number(values.slowdown)])) await measure(sides, page, slowdown);
  }
  for (const { name, server } of sides) {
    if (server.unanswered.size > 0)
      console.log(`${name} asked in vain for: ${[...server.unanswered].join(', ')}`);
  }
} finally {
  await browser.close();
  for (const { server } of sides) await server.close();
}
