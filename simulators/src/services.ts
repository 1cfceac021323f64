import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConsoleClient, type ConsoleClient } from './console/console-client.ts';
import { openDesk, type Desk } from './desk/desk.ts';
import type { Demo, DemoUser } from './demo-file.ts';
import { findHooks, openGateway } from './gateway/open-gateway.ts';
import type { SimulatedGateway } from './gateway/gateway.ts';
import type { KoshPay } from './gateway/kosh-pay.ts';
import { loopbackUrl } from './loopback.ts';
import { startDaraja, type SimulatedDaraja } from './mpesa/daraja-node.ts';
import type { CallerStatistics } from './patient-caller.ts';
import { openHosted } from './rails/hosted-run.ts';
import { SOLID_MS } from './rails/rail-order.ts';
import { startTronNode, type SimulatedTron } from './tron/node.ts';

export interface ServicesOptions {
  readonly demo: Demo;
  /** The data folder, in which simulated services keep their state between runs. */
  readonly data: string;
  /** Nodes of the platform. */
  readonly urls: readonly string[];
  readonly seed: number;
  readonly mischief: number;
  readonly statistics: CallerStatistics;
  /** Called once all ports that the platform calls are open. */
  readonly onListening?: () => void;
}

/** The simulated services and the signed-in people. Opened once and used by one run after the other. */
export interface Services {
  readonly desk: Desk;
  readonly suppliers: readonly ConsoleClient[];
  readonly gateway: SimulatedGateway | undefined;
  readonly rails:
    | {
        readonly chain: SimulatedTron;
        readonly daraja: SimulatedDaraja;
        readonly hosted: KoshPay | undefined;
      }
    | undefined;
  stop(): Promise<void>;
}

/** How often gateways and M-Pesa send their events. */
const TELL_MS = 1_000;

/** How long to wait for the demo's own traffic to free its ports, which takes moments. */
const PORTS_FREE_MS = 10_000;

/** Opens the services, and waits a while for the ports. Throws a sentence for people when another program keeps one of them. */
export async function openServices(options: ServicesOptions): Promise<Services> {
  for (const until = Date.now() + PORTS_FREE_MS; ; await sleep(500)) {
    try {
      return await open(options);
    } catch (error) {
      const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number };
      if (code !== 'EADDRINUSE') throw error;
      if (Date.now() > until)
        throw new Error(
          `Another program, perhaps a second demo, has 127.0.0.1:${port}, where this demo calls its gateways: until it ends nobody pays here, and new orders find no account. Or give this demo addresses of its own (GATEWAY_URL and others, docs/deploying.md).`,
          { cause: error },
        );
    }
  }
}

async function open(options: ServicesOptions): Promise<Services> {
  const { demo, urls, statistics, data } = options;
  const stops: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(stops.splice(0).map((each) => each()));
  };
  const keep = <Service extends { stop(): unknown }>(service: Service): Service => {
    stops.push(() => service.stop());
    return service;
  };
  try {
    const hooks = new Map<string, string>();
    const opened = await openGateway(options, hooks);
    const gateway = opened && keep(opened);
    let rails: Services['rails'];
    if (demo.rails) {
      const { tronUrl, usdtContract, darajaUrl, mpesa } = demo.rails;
      const memory = join(data, 'simulated-mpesa.json');
      rails = {
        chain: keep(
          await startTronNode({ port: portOf(tronUrl), contract: usdtContract, solidMs: SOLID_MS }),
        ),
        daraja: keep(await startDaraja({ port: portOf(darajaUrl), ...mpesa, memory })),
        hosted: demo.scriptGateway && keep(await openHosted(demo.scriptGateway)),
      };
    }
    options.onListening?.();
    const desk = openDesk(demo.users, urls, statistics);
    const isSupplier = ({ role }: DemoUser) => role === 'supplier';
    await findHooks(desk, urls[0] ?? demo.url, hooks);
    const telling = setInterval(() => {
      void gateway?.tell().catch(() => {});
      void rails?.daraja.tell().catch(() => {});
    }, TELL_MS);
    stops.push(() => clearInterval(telling));
    return {
      desk,
      suppliers: demo.users
        .filter(isSupplier)
        .map((user) => createConsoleClient({ url: urls, user, statistics })),
      gateway,
      rails,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export const portOf = (url: string): number => Number(new URL(loopbackUrl(url)).port);
