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

/** Asked once and whenever a message arrives; the floor is for a socket that is away. */
const FLOOR_MS = 120_000;

/** The viewer's messages: the header's dot and the message centre look at the same answer. */
export function useInbox(): UseQueryResult<Inbox> {
  const inbox = useCall(endpoints.message.init, {}, { everyMs: FLOOR_MS, staleMs: FLOOR_MS });
  useChanges('message', () => void inbox.refetch());
  const { refetch } = inbox;
  const state = useRealtimeState();
  const stateBefore = useRef(state);
  useEffect(() => {
    // No event was sent of what came before the socket was open, or while it was away.
    if (state === 'connected' && stateBefore.current !== state) void refetch({ cancelRefetch: false });
    stateBefore.current = state;
  }, [state, refetch]);
  return inbox;
}

/** Asks for the lists anew after a message was moved. */
export function useRefreshInbox(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: callKey(endpoints.message.init) });
}
