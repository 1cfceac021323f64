import type { Direction } from './products.ts';

/**
 * The realtime channel (docs/domain.md#realtime). A client sends commands, the first of them `ack`; the server answers
 * each under its requestId and sends events under an empty one. Events are hints about what to ask again, never the truth.
 */
export const REALTIME_PATH = '/v1.0/ws';

export const HEARTBEAT_MS = 20_000;

/** Order codes one orderChanged names at most; with more it says so and the list is asked anew. */
export const MOST_CHANGED = 200;

export interface RealtimeCommand {
  readonly requestId: string;
  readonly commandType: 'ack' | 'heartbeat';
  /** ack: the key kept from last time, if any; its answer's key is kept and comes with every heartbeat. */
  readonly data?: { readonly key?: string };
  readonly token?: string;
}

interface EventData {
  readonly orderChanged: {
    readonly direction: Direction;
    readonly orderCodes: readonly string[];
    readonly more: boolean;
  };
  readonly newOrder: { readonly orderCode: string; readonly createTime: string };
  readonly message: Record<string, never>;
  readonly todo: Record<string, never>;
  readonly alert: Record<string, never>;
  readonly config: { readonly names: readonly string[] };
}

export type RealtimeEventType = keyof EventData;

export type RealtimeEvent = {
  readonly [Type in RealtimeEventType]: { readonly commandType: Type; readonly data: EventData[Type] };
}[RealtimeEventType];

/** What the server sends: an answer to a command, or an event. */
export interface RealtimeAnswer {
  readonly code: number;
  readonly requestId: string;
  readonly commandType?: RealtimeEventType;
  readonly data?: unknown;
  readonly msg: string;
}
