import type { Desk } from '../desk/desk.ts';
import { loopbackUrl } from '../loopback.ts';
import { createPrng } from '../prng.ts';
import type { Demo } from '../demo-file.ts';
import { startGateway, type SimulatedGateway } from './gateway.ts';

/** Share of forged notices, 0 to 1. Each one writes a warning to the platform's log, so the demo's own light mischief has none. */
export const forgedShare = (mischief: number): number => (mischief < 0.5 ? 0 : 0.1 * mischief);

/** Opens the gateway on the port that the demo calls. Only one run at a time can have it. */
export async function openGateway(
  {
    demo: { gateway },
    seed,
    mischief,
  }: { readonly demo: Demo; readonly seed: number; readonly mischief: number },
  hooks: ReadonlyMap<string, string>,
): Promise<SimulatedGateway | undefined> {
  if (!gateway) return undefined;
  const { port } = new URL(loopbackUrl(gateway.url));
  const random = createPrng(seed, -3);
  return startGateway({
    ...gateway,
    port: Number(port),
    accountNumbers: () => [...hooks.keys()],
    mischief: {
      random: () => random.next(),
      late: 0.3 * mischief,
      twice: 0.3 * mischief,
      forged: forgedShare(mischief),
    },
    deliver: async ({ accountNumber }, { body, headers }) => {
      const url = hooks.get(accountNumber);
      if (url === undefined) return 503;
      const sent = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      return sent.status;
    },
  });
}

/** Reads from the console the webhook address of each gateway account. */
export async function findHooks(desk: Desk, url: string, hooks: Map<string, string>): Promise<void> {
  const { data } = await desk.superAdmin.get('/v1.0/payGateway/getList', { pageSize: '100' });
  const rows = data['list'] as readonly { readonly accountNumber: string; readonly webhookUrl: string }[];
  for (const { accountNumber, webhookUrl } of rows ?? [])
    hooks.set(accountNumber, loopbackUrl(url) + new URL(webhookUrl, url).pathname);
}
