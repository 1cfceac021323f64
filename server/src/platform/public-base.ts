import type { Platform } from './platform.ts';

/**
 * The base of the URLs to which the console posts orders it creates: under ApiUrl, which accepts the console's origin. Empty: the console's
 * own address, because without a known console origin no browser would show the console the answer.
 */
export async function createBase(platform: Platform): Promise<string> {
  if (platform.config.consoleOrigin === undefined) return '';
  return (await platform.settings.all()).ApiUrl.replace(/\/$/, '');
}

/** The base URL at which outside callers reach us, without a path. */
export async function publicBase(platform: Platform): Promise<string> {
  const { ApiUrl } = await platform.settings.all();
  const { host, port } = platform.config;
  // When we listen on every address, a browser on this machine can open 127.0.0.1.
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const base = ApiUrl || `http://${reached}:${port}`;
  return base.replace(/\/$/, '');
}
