import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Role } from '@sangam/contract/roles.ts';
import type { SignType } from '@sangam/contract/signature.ts';

/** The parts of DATA_DIR/demo.json that the simulators use. */
export interface Demo {
  readonly url: string;
  readonly users: readonly DemoUser[];
  readonly merchants: readonly DemoMerchant[];
  readonly monitors: readonly DemoMonitor[];
  /** Address and keys of the demo's payout gateway; absent in a world seeded before the gateway existed. */
  readonly gateway?: {
    readonly url: string;
    readonly keyId: string;
    readonly keySecret: string;
    readonly webhookSecret?: string;
  };
  /** Addresses of the demo's TRON node, M-Pesa and Telegram. */
  readonly rails?: {
    readonly tronUrl: string;
    readonly usdtContract: string;
    readonly darajaUrl: string;
    readonly telegramUrl: string;
    readonly mpesa: { readonly keyId: string; readonly keySecret: string };
  };
  /** The gateway that the demo's pay script calls. */
  readonly scriptGateway?: {
    readonly url: string;
    readonly mchId: string;
    readonly key: string;
    readonly noticeKey: string;
  };
}

export interface DemoUser {
  readonly role: Role;
  readonly account: string;
  readonly password: string;
  /** Base32. */
  readonly googleSecret: string;
  readonly payPassword: string;
}

export interface DemoMerchant {
  readonly mchId: string;
  readonly signType: SignType;
  readonly secret: string;
}

export interface DemoMonitor {
  readonly monitorId: string;
  readonly secret: string;
  readonly accounts: readonly DemoAccount[];
}

/** An account with one of its products. */
export interface DemoAccount {
  readonly resourceId: string;
  readonly productId: number;
  readonly bank: string;
  readonly accountTail: string;
  readonly vpa: string;
  readonly senderHeader: string;
}

export async function readDemo(dataDir: string): Promise<Demo> {
  const file = join(dataDir, 'demo.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Demo;
  } catch (cause) {
    throw new Error(
      `${file} cannot be read: start the demo first (npm start), or name its folder with --data.`,
      { cause },
    );
  }
}
