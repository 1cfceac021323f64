import { randomUUID } from 'node:crypto';
import { NOTIFICATION } from '@sangam/contract/sign-types.ts';
import { sign, type SignType } from '@sangam/contract/signature.ts';

/** What a callback says, where it goes, and by which transport. */
export interface Notice {
  readonly url: string;
  readonly transport: 'json' | 'form' | 'query';
  readonly fields: Readonly<Record<string, string>>;
}

/** An address that may be connected to, in the parts HTTP needs. */
export interface Target {
  readonly origin: string;
  readonly path: string;
}

export function partsOf(url: string): Target {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

export interface Prepared {
  readonly method: 'POST' | 'GET';
  readonly path: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The request as the attempt's record shows it. */
  readonly shown: string;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded' };

/** What signing adds to the fields: the signature, and with HMAC the timestamp and nonce that prevent a replay. */
export function signatureOf(
  { fields }: Notice,
  { signType, secret }: { readonly signType: SignType; readonly secret: string },
  now: Date,
): Readonly<Record<string, string>> {
  if (signType === 'md5') return { sign: sign(fields, signType, secret) };
  const once = { timestamp: String(now.getTime()), nonce: randomUUID() };
  return { ...once, sign: sign({ ...fields, ...once }, signType, secret, NOTIFICATION) };
}

/** Makes the request of a callback. Without a target (it was refused) nothing is sent, but the record shows what would have been sent. */
export function prepare(
  { url, transport, fields }: Notice,
  target: Target | undefined,
  signature: Readonly<Record<string, string>>,
): Prepared {
  const { origin, path } = target ?? { origin: '', path: url };
  switch (transport) {
    case 'json': {
      // `status` is a number in the JSON; its text was signed.
      const body = JSON.stringify({ ...fields, ...signature, status: Number(fields['status']) });
      return { method: 'POST', path, body, shown: body, headers: JSON_HEADERS };
    }
    case 'form': {
      const body = new URLSearchParams({ ...fields, ...signature }).toString();
      return { method: 'POST', path, body, shown: body, headers: FORM_HEADERS };
    }
    case 'query': {
      // The query that a notifyUrl already has is kept.
      const query = new URLSearchParams({ ...fields, ...signature }).toString();
      const asked = `${path}${path.includes('?') ? '&' : '?'}${query}`;
      return { method: 'GET', path: asked, shown: origin + asked, headers: {} };
    }
  }
}

/** What an attempt's row keeps of its request: the whole request, or only what signing added, as `name=value&…`. */
export interface KeptRequest {
  readonly request: string | null;
  readonly signed: string | null;
}

/** What signing added, as it is stored. Its letters need no escape. */
export function keptSignature(signature: Readonly<Record<string, string>>): string {
  return Object.entries(signature)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** The request of an attempt as it was sent. */
export function requestOf({ request, signed }: KeptRequest, notice: Notice): string {
  if (signed === null) return request ?? '';
  const target = URL.canParse(notice.url) ? partsOf(notice.url) : undefined;
  return prepare(notice, target, Object.fromEntries(new URLSearchParams(signed))).shown;
}
