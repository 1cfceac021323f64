import type { ScriptFailure, ScriptFunction } from '@sangam/contract/pay-scripts.ts';
import { z } from 'zod';

/** The messages between host and sandbox thread. All values of the script are JSON text. */
export interface RunMessage {
  readonly kind: 'run';
  readonly code: string;
  /** 'functions': only read the script, and answer which functions it has. */
  readonly call: ScriptFunction | 'functions';
  /** JSON of the function's arguments, a list. */
  readonly args: string;
}

/**
 * A script's fetch request. The host checks it against this shape before anything is sent, because a script can change what its
 * own engine writes as JSON.
 */
export const FETCH_REQUEST = z.object({
  url: z.string(),
  method: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
});
export type FetchRequest = Readonly<z.infer<typeof FETCH_REQUEST>>;

export type FetchAnswer =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly error: string };

export interface FetchReply {
  readonly kind: 'answer';
  readonly id: number;
  /** JSON of a FetchAnswer. */
  readonly answer: string;
}

export type ToSandbox = RunMessage | FetchReply;

export interface ScriptError {
  readonly kind: ScriptFailure;
  readonly message: string;
  /** In the script's text, counted from 1. */
  readonly line: number | null;
  readonly column: number | null;
}

export type FromSandbox =
  /** `request`: JSON of a FetchRequest, unless the script has changed it. */
  | { readonly kind: 'fetch'; readonly id: number; readonly request: string }
  | { readonly kind: 'log'; readonly line: string }
  /** `output`: JSON. */
  | { readonly kind: 'done'; readonly output: string }
  | { readonly kind: 'failed'; readonly error: ScriptError };
