import type { Platform } from '../../platform/platform.ts';

/** Who asks for a passkey, as browsers see it. */
export interface RelyingParty {
  /** The host of the console. */
  readonly id: string;
  readonly origin: string;
}

/** Undefined where no address of the console is configured: then no passkey can be made or used. */
export function relyingParty({ config }: Platform): RelyingParty | undefined {
  const { consoleOrigin } = config;
  return consoleOrigin === undefined
    ? undefined
    : { id: new URL(consoleOrigin).hostname, origin: consoleOrigin };
}
