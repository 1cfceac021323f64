/** How merchants sign, weakest first. Only the last type signs the call too, so that a signature is valid for that call alone. */
export const SIGN_TYPES = ['md5', 'hmac-sha256', 'hmac-sha256-v2'] as const;
export type SignType = (typeof SIGN_TYPES)[number];

/** What hmac-sha256-v2 signs before the fields of a notification. */
export const NOTIFICATION = 'NOTIFY';

/** What hmac-sha256-v2 signs before the fields of a call: method and versioned path, whichever path was called. */
export function callLine({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}
