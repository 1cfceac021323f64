import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Role } from '@sangam/contract/roles.ts';
import type { SignType } from '@sangam/contract/signature.ts';

/** The content of DATA_DIR/demo.json: everything needed to sign in, to sign as a merchant and to report as a monitor. */
export interface DemoFile {
  readonly url: string;
  readonly users: readonly DemoUser[];
  readonly merchants: readonly DemoMerchant[];
  readonly monitors: readonly DemoMonitor[];
  /** Absent in a world that was seeded before it existed. */
  readonly gateway?: DemoGateway;
  readonly rails?: DemoRails;
  readonly scriptGateway?: DemoScriptGateway;
}

/** The gateway that the demo's pay script calls. The script holds the URL, so the URL stays the same. */
export interface DemoScriptGateway {
  readonly url: string;
  readonly mchId: string;
  /** One key signs requests, the other signs notices. */
  readonly key: string;
  readonly noticeKey: string;
}

/** The rails and Telegram as this node calls them. Their simulators listen there. */
export interface DemoRails {
  readonly tronUrl: string;
  readonly usdtContract: string;
  readonly darajaUrl: string;
  readonly telegramUrl: string;
  readonly mpesa: { readonly keyId: string; readonly keySecret: string };
}

/** The payout gateway as this node calls it. The simulator listens there. */
export interface DemoGateway {
  readonly url: string;
  readonly keyId: string;
  readonly keySecret: string;
  /** Absent in a world that was seeded before gateways sent webhooks. */
  readonly webhookSecret?: string;
}

export interface DemoUser {
  readonly role: Role;
  readonly account: string;
  readonly password: string;
  /** In base32. */
  readonly googleSecret: string;
  readonly payPassword: string;
}

export interface DemoMerchant {
  readonly mchId: string;
  readonly account: string;
  readonly signType: SignType;
  readonly secret: string;
}

export interface DemoMonitor {
  readonly monitorId: string;
  readonly secret: string;
  /** One entry for each resource: an account with three products is here three times. */
  readonly accounts: readonly DemoResource[];
}

interface DemoResource {
  readonly resourceId: string;
  readonly productId: number;
  readonly bank: string;
  readonly accountTail: string;
  readonly vpa: string;
  readonly senderHeader: string;
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

export async function readDemoFile(dataDir: string): Promise<DemoFile | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as DemoFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the file whole or not at all. Only its owner may read it. */
export async function writeDemoFile(dataDir: string, demo: DemoFile): Promise<void> {
  // With DATABASE_URL nothing else may have made the folder.
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const draft = `${fileIn(dataDir)}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, fileIn(dataDir));
}
