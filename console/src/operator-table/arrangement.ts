import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { endpoints } from 'virtual:endpoints';
import type { Arrangement } from '@sangam/contract/endpoints/list.ts';
import { call } from '../http/client.ts';
import { callKey } from '../http/call-key.ts';
import { useCall } from '../http/use-call.ts';
import { usePreference } from '../session/preference.ts';
import { useViewer } from '../session/viewer.ts';
import type { OutputOf } from '../http/call-types.ts';

const { getListViews, chooseForList } = endpoints.list;

type Kept = OutputOf<typeof getListViews>;
export type ListView = Kept['views'][number];

/** Changes within this time are sent as one: a user clicks through many columns in a row. */
const GATHER_MS = 800;
const FRESH_MS = 5 * 60_000;
const NOTHING: Arrangement = {};

const isArrangement = (stored: unknown): stored is Arrangement =>
  typeof stored === 'object' && stored !== null && !Array.isArray(stored);

export interface ListArrangement {
  /** The columns, density and page size that the user chose last. */
  readonly arrangement: Arrangement;
  readonly arrange: (change: Partial<Arrangement>) => void;
  /** Absent until the server has answered. */
  readonly views: readonly ListView[] | undefined;
  readonly defaultViewId: string | null;
  readonly setDefault: (id: string | null) => void;
  readonly reload: () => Promise<void>;
}

/**
 * How a user has arranged a list. It is stored on the server, so that it is the same on every machine, and also in this browser, so
 * that the first drawing already uses it. The browser's copy is the only one for a role that may write nothing.
 */
export function useListArrangement(list: string): ListArrangement {
  const queries = useQueryClient();
  const mayKeep = useViewer().access !== 'technicalMaintenance';
  const [local, setLocal] = usePreference(`${list}.arrangement`, NOTHING, isArrangement);
  const { data } = useCall(getListViews, { list }, { staleMs: FRESH_MS });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const queryKey = callKey(getListViews, { list });
  const kept = data?.choices[0];
  const arrangement = kept?.arrangement ?? local;
  const defaultViewId = kept?.defaultViewId ?? null;

  const send = useRef<(() => void) | undefined>(undefined);
  // Sends the last choice when the user leaves the page at once.
  useEffect(() => () => send.current?.(), []);

  const keep = (next: { readonly arrangement: Arrangement; readonly defaultViewId: string | null }) => {
    setLocal(next.arrangement);
    if (!mayKeep) return;
    queries.setQueryData<Kept>(queryKey, (now) => now && { ...now, choices: [{ list, ...next }] });
    clearTimeout(timer.current);
    send.current = () => {
      clearTimeout(timer.current);
      send.current = undefined;
      // This browser has the choice already; the next change tries the server again.
      call(chooseForList, { list, ...next }).catch(() => undefined);
    };
    timer.current = setTimeout(() => send.current?.(), GATHER_MS);
  };

  return {
    arrangement,
    arrange: (change) => {
      const next = Object.entries({ ...arrangement, ...change }).filter(([, value]) => value !== undefined);
      keep({ arrangement: Object.fromEntries(next) as Arrangement, defaultViewId });
    },
    views: data?.views,
    defaultViewId,
    setDefault: (id) => keep({ arrangement, defaultViewId: id }),
    reload: () => queries.invalidateQueries({ queryKey: [getListViews.path] }),
  };
}
