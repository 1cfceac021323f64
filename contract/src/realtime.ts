import type { Direction } from './products.ts';

/**
 * The realtime channel (docs/domain.md#realtime). A client sends commands, `ack` first. The server answers each under its
 * requestId and sends events under an empty one. An event only says what to ask again; it is never the data itself.
 */
export const REALTIME_PATH = '/v1.0/ws';

export const HEARTBEAT_MS = 20_000;

/** The most order codes in one orderChanged. With more changes the event says so, and the client asks for the list again. */
export const MOST_CHANGED = 200;

export interface RealtimeCommand {
  readonly requestId: string;
  readonly commandType: 'ack' | 'heartbeat';
  /** For ack: the key from last time, if any. The client keeps the key of the answer and sends it with every heartbeat. */
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

/** What the server sends: the answer to a command, or an event. */
export interface RealtimeAnswer {
  readonly code: number;
  readonly requestId: string;
  readonly commandType?: RealtimeEventType;
  readonly data?: unknown;
  readonly msg: string;
}
