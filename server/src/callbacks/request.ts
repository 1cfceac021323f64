import { randomUUID } from 'node:crypto';
import { NOTIFICATION } from '@sangam/contract/sign-types.ts';
import { sign, type SignType } from '@sangam/contract/signature.ts';

/** What is told, and where and how. */
export interface Notice {
  readonly url: string;
  readonly transport: 'json' | 'form' | 'query';
  readonly fields: Readonly<Record<string, string>>;
}

/** An address that may be connected to, as HTTP wants it. */
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
  /** As the attempt's record shows it. */
  readonly shown: string;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded' };

/** What signing adds to a notice's fields: the signature, and with HMAC what keeps it from being used again. */
export function signatureOf(
  { fields }: Notice,
  { signType, secret }: { readonly signType: SignType; readonly secret: string },
  now: Date,
): Readonly<Record<string, string>> {
  if (signType === 'md5') return { sign: sign(fields, signType, secret) };
  const once = { timestamp: String(now.getTime()), nonce: randomUUID() };
  return { ...once, sign: sign({ ...fields, ...once }, signType, secret, NOTIFICATION) };
}

/** The request of a notice; a target that is refused, and so is no target, gets nothing, but what it would have got is shown. */
export function prepare(
  { url, transport, fields }: Notice,
  target: Target | undefined,
  signature: Readonly<Record<string, string>>,
): Prepared {
  const { origin, path } = target ?? { origin: '', path: url };
  switch (transport) {
    case 'json': {
      // status is a number on the wire; its text is what was signed.
      const body = JSON.stringify({ ...fields, ...signature, status: Number(fields['status']) });
      return { method: 'POST', path, body, shown: body, headers: JSON_HEADERS };
    }
    case 'form': {
      const body = new URLSearchParams({ ...fields, ...signature }).toString();
      return { method: 'POST', path, body, shown: body, headers: FORM_HEADERS };
    }
    case 'query': {
      // A notifyUrl's own query is kept.
      const query = new URLSearchParams({ ...fields, ...signature }).toString();
      const asked = `${path}${path.includes('?') ? '&' : '?'}${query}`;
      return { method: 'GET', path: asked, shown: origin + asked, headers: {} };
    }
  }
}

/** What an attempt's row keeps of its request: all of it, or what was added to its notice as `name=value&…`. */
export interface KeptRequest {
  readonly request: string | null;
  readonly signed: string | null;
}

/** What signing added, as it is kept: of letters that need no escape. */
export function keptSignature(signature: Readonly<Record<string, string>>): string {
  return Object.entries(signature)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** An attempt's request as it was sent. */
export function requestOf({ request, signed }: KeptRequest, notice: Notice): string {
  if (signed === null) return request ?? '';
  const target = URL.canParse(notice.url) ? partsOf(notice.url) : undefined;
  return prepare(notice, target, Object.fromEntries(new URLSearchParams(signed))).shown;
}
