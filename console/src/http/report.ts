import { CODES } from '@sangam/contract/codes.ts';
import { errorStore } from '../errors/error-store.ts';

/** Logs a refusal that no caller has handled. */
export function report(path: string, code: number, message: string): void {
  // Codes other than 200 also go to the browser's console.
  // oxlint-disable-next-line no-console
  console.warn(`${path}: ${code} ${message}`);
  // Refusals are ordinary answers. Only a failure of the server is logged as an error.
  if (code === CODES.internal.code) errorStore.ajax(path, code, message);
}
