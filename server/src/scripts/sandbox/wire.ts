import type { ScriptFailure, ScriptFunction } from '@sangam/contract/pay-scripts.ts';

/** Host and sandbox thread speak in these; all values of the script are JSON text. */
export interface RunMessage {
  readonly kind: 'run';
  readonly code: string;
  /** 'functions': only read the script, and answer which functions it has. */
  readonly call: ScriptFunction | 'functions';
  /** JSON of the function's arguments, a list. */
  readonly args: string;
}

/** What a script asks for; checked by the host before anything is sent. */
export interface FetchRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

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
  /** Of the script's text, from 1. */
  readonly line: number | null;
  readonly column: number | null;
}

export type FromSandbox =
  | { readonly kind: 'fetch'; readonly id: number; readonly request: string }
  | { readonly kind: 'log'; readonly line: string }
  /** `output`: JSON. */
  | { readonly kind: 'done'; readonly output: string }
  | { readonly kind: 'failed'; readonly error: ScriptError };
