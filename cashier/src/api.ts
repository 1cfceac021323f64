import { CODES } from '@sangam/contract/codes.ts';
import type { Envelope } from '@sangam/contract/endpoint.ts';
import type { DemoPaymentKind } from '@sangam/contract/demo-payments.ts';
import type { payPage } from '@sangam/contract/endpoints/outside.ts';
import { deadlineOf } from './countdown.ts';
import { serverLanguages } from './locale.ts';

export type PayPage = ReturnType<typeof payPage.output.parse>;

export type Fetched =
  | { readonly kind: 'page'; readonly page: PayPage; readonly deadline: number }
  | { readonly kind: 'unknown' }
  /** An address rule refuses this address. */
  | { readonly kind: 'barred' }
  /** The payer's address is frozen: the page does not show it where to pay. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'unreachable' };

export type Submitted =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly code: number; readonly msg: string }
  | { readonly kind: 'unreachable' };

const TIMEOUT_MS = 12_000;

export async function fetchPage(token: string, locale: string, signal: AbortSignal): Promise<Fetched> {
  const sentAt = performance.now();
  const envelope = await call<PayPage>(
    `/v1.0/pay/${token}`,
    { headers: { 'Accept-Language': serverLanguages(locale) } },
    signal,
  );
  if (envelope?.code === 200 && envelope.data) {
    const deadline = deadlineOf(envelope.data.remainingMs, sentAt, performance.now());
    return { kind: 'page', page: envelope.data, deadline };
  }
  if (envelope?.code === CODES.ipNotAllowed.code)
    return {
      kind: (envelope.data as { reason?: string } | undefined)?.reason === 'frozen' ? 'closed' : 'barred',
    };
  // 400: the URL holds something that cannot be a token.
  return envelope?.code === 404 || envelope?.code === 400 ? { kind: 'unknown' } : { kind: 'unreachable' };
}

export function submitUtr(token: string, utr: string, locale: string): Promise<Submitted> {
  return submit(`/v1.0/pay/${token}/paid`, { utr }, locale);
}

async function submit(path: string, fields: object, locale: string): Promise<Submitted> {
  const envelope = await call<unknown>(path, {
    method: 'POST',
    headers: { 'Accept-Language': serverLanguages(locale), 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
  if (envelope === undefined) return { kind: 'unreachable' };
  return envelope.code === 200
    ? { kind: 'accepted' }
    : { kind: 'refused', code: envelope.code, msg: envelope.msg };
}

/** The QR code of the order's account; undefined where it could not be loaded. */
export async function fetchPicture(token: string, signal: AbortSignal): Promise<string | undefined> {
  return (await call<{ picture: string }>(`/v1.0/pay/${token}/qr`, {}, signal))?.data?.picture;
}

/** Sends an M-Pesa payment request to the payer's phone. */
export function askPhone(token: string, phone: string, locale: string): Promise<Submitted> {
  return submit(`/v1.0/pay/${token}/stk`, { phone }, locale);
}

/** Demo only: the simulated bank pays the order. */
export function payInDemo(token: string, how: DemoPaymentKind, locale: string): Promise<Submitted> {
  return submit(`/v1.0/pay/${token}/demo`, { how }, locale);
}

/** A screenshot of the payment: PNG or JPEG in base64. */
export function submitPicture(token: string, picture: string, locale: string): Promise<Submitted> {
  return submit(`/v1.0/pay/${token}/picture`, { picture }, locale);
}

/** The name on the account that the payer pays from. */
export function submitName(token: string, name: string, locale: string): Promise<Submitted> {
  return submit(`/v1.0/pay/${token}/name`, { name }, locale);
}

/**
 * The server's envelope, whatever the HTTP status. Undefined when there is none: no connection, an error page of a proxy, or an
 * answer that takes too long.
 */
async function call<Data>(
  path: string,
  init: RequestInit,
  signal?: AbortSignal,
): Promise<Envelope<Data> | undefined> {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const timer = setTimeout(stop, TIMEOUT_MS);
  signal?.addEventListener('abort', stop);
  try {
    const response = await fetch(path, {
      ...init,
      cache: 'no-store',
      credentials: 'omit',
      signal: abort.signal,
    });
    const body: unknown = await response.json();
    return isEnvelope<Data>(body) ? body : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function isEnvelope<Data>(body: unknown): body is Envelope<Data> {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'number';
}
