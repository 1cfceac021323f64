import { inspect, parseArgs } from 'node:util';
import { DEMO_CATCHER } from '@sangam/contract/demo-catcher.ts';
import { SECOND } from '../platform/clock.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { ConfigError } from '../platform/environment.ts';
import type { DemoFile } from '../demo/demo-file.ts';
import { demoSignerAccess, startDemoSigner } from '../demo/demo-signer.ts';
import type { DemoSize } from '../demo/seed-demo.ts';
import { createLog } from '../platform/log.ts';
import { demoBank } from '../collection/demo-bank.ts';
import { demoCurl } from './demo-curl.ts';
import { keepCaught } from '../backoffice/interface-test/read-sandbox.ts';
import { startDemoTraffic } from './demo-traffic.ts';
import { within } from '../platform/within.ts';
import { type Node, startNode } from './start.ts';

const LONGEST_STOP = 10 * SECOND;
/** How long to wait for the demo's gateways and chains. They listen within seconds, and the demo goes on without them. */
const LONGEST_BEGIN = 10 * SECOND;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function end(code: number, error: unknown): never {
  // A ConfigError is one sentence for the person who set the environment. Of any other error we print everything.
  const text = error instanceof ConfigError ? error.message : inspect(error);
  process.stderr.write(`${text}\n`);
  process.exit(code);
}

function sayDemo(demo: DemoFile): void {
  const { users } = demo;
  const width = Math.max(...users.map(({ account }) => account.length));
  say('\nDemo sign-ins (the current Google code of one: npm run code -- ACCOUNT)');
  for (const { account, password, payPassword, role } of users) {
    say(`  ${account.padEnd(width)}  password ${password}  second password ${payPassword}  ${role}`);
  }
  if (process.env['DEMO_TRAFFIC'] !== '1') return;
  say("\nAn order of a merchant's (open the payUrl that it answers: the demo's bank pays there)");
  say(`  ${demoCurl(demo, new Date())}`);
  say(`  What the merchant is notified of: ${DEMO_CATCHER}`);
}

function stopOnSignal(node: Node): void {
  let stoppingSince: number | undefined;
  const stop = (): void => {
    // A second signal means 'stop now'. But one Ctrl-C may arrive twice at once, from the terminal and through npm.
    if (stoppingSince !== undefined && Date.now() - stoppingSince > SECOND) process.exit(1);
    if (stoppingSince !== undefined) return;
    stoppingSince = Date.now();
    say('Stopping ...');
    setTimeout(() => end(1, new Error('not stopped within 10 s')), LONGEST_STOP).unref();
    node.stop().then(
      () => process.exit(0),
      (error: unknown) => end(1, error),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** The demo starts its own signer when one process is the whole platform. */
async function withDemoSigner(config: Config): Promise<Config> {
  return config.demo && config.role === 'all' && !config.signer
    ? { ...config, signer: await demoSignerAccess() }
    : config;
}

try {
  const { values } = parseArgs({
    options: { 'demo-orders': { type: 'string' }, 'demo-accounts': { type: 'string' } },
  });
  const { 'demo-orders': orders, 'demo-accounts': accounts } = values;
  const size: DemoSize = {
    ...(orders !== undefined && { historyOrders: Number(orders) }),
    ...(accounts !== undefined && { receivingAccounts: Number(accounts) }),
  };
  const config = await withDemoSigner(readConfig(process.env));
  const stops: (() => unknown)[] = [];
  const node = await startNode(config, createLog('info'), (error) => end(1, error), {
    demoSize: size,
    async meetWorld(platform, { users }) {
      // A signer set by SIGNER_URL is started by somebody else.
      if (config.signer && !process.env['SIGNER_URL']) {
        const signer = await startDemoSigner(config, config.signer, users);
        stops.push(() => signer.stop());
      }
      if (process.env['DEMO_TRAFFIC'] !== '1') return;
      const traffic = startDemoTraffic(config.dataDir, keepCaught(platform));
      stops.push(() => traffic.stop());
      demoBank(platform).pay = traffic.pay;
      await within(LONGEST_BEGIN, traffic.listening);
    },
  });
  stopOnSignal({
    ...node,
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      await node.stop();
    },
  });
  say(node.url === undefined ? 'Working (no address: ROLE=worker).' : `Listening on ${node.url}`);
  if (node.demo) sayDemo(node.demo);
} catch (error) {
  end(error instanceof ConfigError ? 2 : 1, error);
}
