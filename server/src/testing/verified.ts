import type { Platform } from '../platform.ts';
import { verify } from '../verify/verify.ts';

/** Runs every check of `npm run verify`; answers those that do not hold. */
export async function brokenChecks(platform: Platform): Promise<string[]> {
  const broken: string[] = [];
  for await (const { name, ok, detail } of verify(platform.db)) {
    if (!ok) broken.push(`${name}: ${detail}`);
  }
  return broken;
}
