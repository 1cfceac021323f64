import type { Platform } from './platform.ts';

/** Where outside callers reach us, without a path. */
export async function publicBase(platform: Platform): Promise<string> {
  const { ApiUrl } = await platform.settings.all();
  const { host, port } = platform.config;
  // Listening on every address, this machine's own is one a browser here can open.
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const base = ApiUrl || `http://${reached}:${port}`;
  return base.replace(/\/$/, '');
}
