import { createContext, use } from 'react';
import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import { STAFF } from '@sangam/contract/roles.ts';

export const ViewerContext = createContext<UserInfo | undefined>(undefined);

/** The signed-in user. Only within the shell. */
export function useViewer(): UserInfo {
  const viewer = use(ViewerContext);
  if (!viewer) throw new Error('no viewer outside the shell');
  return viewer;
}

export const isStaff = (viewer: UserInfo): boolean => STAFF.includes(viewer.access);
