import type { Endpoint } from '@sangam/contract/endpoint.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import type { SignType } from '@sangam/contract/signature.ts';
import type { z } from 'zod';
import type { UploadedFile } from '../platform/files/upload.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { TableFile } from './table-file.ts';

/** What every call has, whoever makes it. */
export interface Caller {
  readonly ip: string;
  readonly userAgent: string;
  readonly locale: Locale;
  /** Whether a browser made the call. A browser has the session's cookie and must send it. */
  readonly isBrowser: boolean;
  /** Sets the HttpOnly cookie of a new session; null removes it. */
  readonly setSessionCookie: (value: string | null) => void;
}

/** A merchant whose signature over `fields` was checked. */
export interface SignedMerchant {
  readonly id: bigint;
  /** Every field as received, as raw text. */
  readonly fields: Readonly<Record<string, string>>;
  readonly signType: SignType;
  /** False for a merchant that signs with MD5 and has not opted in to cancelling that way. */
  readonly mayCancel: boolean;
  /** Only in a multipart call. */
  readonly file?: UploadedFile | undefined;
}

/** A monitor whose device signature and sequence number were checked. */
export interface SignedMonitor {
  readonly id: bigint;
  readonly supplierId: bigint;
  /** How far the phone's clock is behind the platform's, in ms, by the time in the signature. Negative when it is ahead. */
  readonly clockBehindMs?: number;
}

type Answer<Output extends z.ZodType> = z.input<Output> | Refusal | TableFile;

interface RouteBase {
  readonly endpoint: Endpoint;
}

/** A console call of a signed-in user. */
export interface ViewerRoute extends RouteBase {
  readonly kind: 'viewer';
  readonly handle: (platform: Platform, viewer: Viewer, input: never, caller: Caller) => Promise<unknown>;
}
/** A call without a session (sign-in, payment page). */
export interface PublicRoute extends RouteBase {
  readonly kind: 'public';
  readonly handle: (platform: Platform, input: never, caller: Caller) => Promise<unknown>;
}
export interface MerchantRoute extends RouteBase {
  readonly kind: 'merchant';
  readonly handle: (
    platform: Platform,
    merchant: SignedMerchant,
    input: never,
    caller: Caller,
  ) => Promise<unknown>;
}
export interface MonitorRoute extends RouteBase {
  readonly kind: 'monitor';
  readonly handle: (
    platform: Platform,
    monitor: SignedMonitor,
    input: never,
    caller: Caller,
  ) => Promise<unknown>;
}

/** What an outside service sent. The body is raw bytes, because a signature covers them. */
export interface WebhookCall {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** By name in lower case. Of a repeated name the last value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
  readonly ip: string;
}
/** The answer in the form that the service expects, without the envelope. */
export interface WebhookAnswer {
  readonly status: number;
  /** An object is sent as JSON. */
  readonly body: object | string;
}
/** A call of an outside service. It proves who it is by its own signature or by an unguessable path. */
export interface WebhookRoute extends RouteBase {
  readonly kind: 'webhook';
  readonly handle: (platform: Platform, call: WebhookCall) => Promise<WebhookAnswer>;
}

export type Route = ViewerRoute | PublicRoute | MerchantRoute | MonitorRoute | WebhookRoute;

export function webhookRoute(endpoint: Endpoint, handle: WebhookRoute['handle']): WebhookRoute {
  return { kind: 'webhook', endpoint, handle };
}

/** Joins a contract endpoint to the command that answers it. The contract gives the types of input and output. */
export function viewerRoute<Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  handle: (
    platform: Platform,
    viewer: Viewer,
    input: z.output<Input>,
    caller: Caller,
  ) => Promise<Answer<Output>>,
): ViewerRoute {
  return { kind: 'viewer', endpoint, handle: handle as ViewerRoute['handle'] };
}

export function publicRoute<Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  handle: (platform: Platform, input: z.output<Input>, caller: Caller) => Promise<Answer<Output>>,
): PublicRoute {
  return { kind: 'public', endpoint, handle: handle as PublicRoute['handle'] };
}

export function merchantRoute<Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  handle: (
    platform: Platform,
    merchant: SignedMerchant,
    input: z.output<Input>,
    caller: Caller,
  ) => Promise<Answer<Output>>,
): MerchantRoute {
  return { kind: 'merchant', endpoint, handle: handle as MerchantRoute['handle'] };
}

export function monitorRoute<Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  handle: (
    platform: Platform,
    monitor: SignedMonitor,
    input: z.output<Input>,
    caller: Caller,
  ) => Promise<Answer<Output>>,
): MonitorRoute {
  return { kind: 'monitor', endpoint, handle: handle as MonitorRoute['handle'] };
}
