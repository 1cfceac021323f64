import { CallCancelled } from './call-error.ts';

interface Prompt {
  /** Path of the call that was refused because it needs the password. */
  readonly action: string;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

let prompt: Prompt | undefined;
const listeners = new Set<() => void>();

function set(next: Prompt | undefined): void {
  prompt = next;
  listeners.forEach((listener) => listener());
}

/** Connects the caller, which waits, with the dialog of the shell, which answers. */
export const secondPasswordPrompt = {
  ask: (action: string): Promise<void> => new Promise((resolve, reject) => set({ action, resolve, reject })),
  action: (): string | undefined => prompt?.action,
  isOpen: (): boolean => prompt !== undefined,
  done: (): void => {
    prompt?.resolve();
    set(undefined);
  },
  cancel: (): void => {
    prompt?.reject(new CallCancelled('second password'));
    set(undefined);
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
