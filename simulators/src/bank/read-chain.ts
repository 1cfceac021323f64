import { setTimeout as sleep } from 'node:timers/promises';
import { formatTime } from '@sangam/contract/time.ts';
import type { Demo } from '../demo-file.ts';
import type { ConsoleClient } from '../console/console-client.ts';
import type { BankAccount } from './account-book.ts';
import { proveChain, type ChainProof, type SeenGap, type SeenNode } from './chain-proof.ts';

const PAGE = 500;
/** The leak checker may patch a gap between two of our requests, so reading is repeated. */
const TRIES = 3;
const PAUSE_MS = 2_000;

/** The last balance of each account's chain, by account id. A run continues from where the previous one ended. */
export async function readOpenings(superAdmin: ConsoleClient, demo: Demo): Promise<Map<string, number>> {
  const openings = new Map<string, number>();
  const ids = demo.monitors.flatMap(({ accounts }) => accounts.map(({ resourceId }) => resourceId));
  for (const resourceId of new Set(ids)) {
    const { code, data } = await superAdmin.get('/v1.0/securityNodes/getChain', { resourceId });
    const nodes = code === 200 ? (data['nodes'] as readonly SeenNode[]) : [];
    const last = nodes.findLast(({ state }) => state === 'linked');
    if (last) openings.set(resourceId, last.balance);
  }
  return openings;
}

/** Compares each bank's book with the server's chain of the account. `since` is the start of the books. */
export async function proveChains(
  superAdmin: ConsoleClient,
  accounts: readonly BankAccount[],
  since: Date,
): Promise<ChainProof[]> {
  const proofs: ChainProof[] = [];
  for (const account of accounts) {
    if (account.book.length === 0) continue;
    let proof = await proveOne(superAdmin, account, since);
    for (let tries = 1; proof.wrong.length > 0 && tries < TRIES; tries += 1) {
      await sleep(PAUSE_MS);
      proof = await proveOne(superAdmin, account, since);
    }
    proofs.push(proof);
  }
  return proofs;
}

async function proveOne(superAdmin: ConsoleClient, account: BankAccount, since: Date): Promise<ChainProof> {
  const filter = { resourceId: account.resourceId, startTime: formatTime(since) };
  const gaps = await readAll<SeenGap>(superAdmin, '/v1.0/securityNodes/getPatchList', filter);
  const nodes = await readAll<SeenNode>(superAdmin, '/v1.0/securityNodes/getList', filter);
  return proveChain(`${account.bank} ${account.accountTail}`, account.book, nodes, gaps);
}

async function readAll<Row>(
  person: ConsoleClient,
  path: string,
  filter: Readonly<Record<string, string>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = null; ;) {
    const input = { ...filter, pageSize: String(PAGE), ...(cursor === null ? {} : { cursor }) };
    const { code, msg, data } = await person.get(path, input);
    if (code !== 200) throw new Error(`${path}: ${code} ${msg}`);
    rows.push(...(data['list'] as readonly Row[]));
    cursor = data['nextCursor'] as string | null;
    if (cursor === null) return rows;
  }
}
