import type { Platform } from './platform.ts';

/**
 * Where the console posts what creates orders: under ApiUrl, whose door lets in the origin the console is opened at. Empty: where the
 * console is, since without that origin no browser would show it the answer.
 */
export async function createBase(platform: Platform): Promise<string> {
  if (platform.config.consoleOrigin === undefined) return '';
  return (await platform.settings.all()).ApiUrl.replace(/\/$/, '');
}

/** Where outside callers reach us, without a path. */
export async function publicBase(platform: Platform): Promise<string> {
  const { ApiUrl } = await platform.settings.all();
  const { host, port } = platform.config;
  // Listening on every address, this machine's own is one a browser here can open.
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const base = ApiUrl || `http://${reached}:${port}`;
  return base.replace(/\/$/, '');
}
