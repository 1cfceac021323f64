import { useSyncExternalStore } from 'react';
import { errorStore } from './error-store.ts';

export const useUnseenErrors = (): boolean => useSyncExternalStore(errorStore.subscribe, errorStore.isUnseen);
