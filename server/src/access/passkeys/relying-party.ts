import type { Platform } from '../../platform/platform.ts';

/** The site that asks for a passkey, as browsers know it. */
export interface RelyingParty {
  /** The host of the console. */
  readonly id: string;
  readonly origin: string;
}

/** Undefined where no address of the console is configured: then passkeys can be neither made nor used. */
export function relyingParty({ config }: Platform): RelyingParty | undefined {
  const { consoleOrigin } = config;
  return consoleOrigin === undefined
    ? undefined
    : { id: new URL(consoleOrigin).hostname, origin: consoleOrigin };
}
