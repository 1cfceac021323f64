import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { endpoints, type Call } from 'virtual:endpoints';
import { callKey } from '../http/call-key.ts';
import { useCall } from '../http/use-call.ts';
import { useRealtimeState } from '../realtime/realtime.ts';
import { useChanges } from '../realtime/use-changes.ts';

type Answer<Definition> = Definition extends Call<infer _, infer Output> ? Output : never;
export type Inbox = Answer<typeof endpoints.message.init>;
export type Folder = 'unread' | 'readed' | 'trash';
export type MessageSummary = Inbox[Folder][number];

/** The inbox is read once and whenever a message arrives. This slow poll covers the time without a socket. */
const FLOOR_MS = 120_000;

/** The viewer's messages. The dot in the header and the inbox use the same answer. */
export function useInbox(): UseQueryResult<Inbox> {
  const inbox = useCall(endpoints.message.init, {}, { everyMs: FLOOR_MS, staleMs: FLOOR_MS });
  useChanges('message', () => void inbox.refetch());
  const { refetch } = inbox;
  const state = useRealtimeState();
  const stateBefore = useRef(state);
  useEffect(() => {
    // No event arrives for messages sent before the socket opened or while it was away.
    if (state === 'connected' && stateBefore.current !== state) void refetch({ cancelRefetch: false });
    stateBefore.current = state;
  }, [state, refetch]);
  return inbox;
}

/** Returns a function that reloads the lists after a message was moved. */
export function useRefreshInbox(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: callKey(endpoints.message.init) });
}
