import { createGate, type ErrorReport, reportOf } from './reports.ts';

/** How many errors are kept until the shell sends them to the server. Before sign-in nothing is sent. */
const MOST_WAITING = 20;

const passes = createGate(Date.now);
const listeners = new Set<() => void>();
const waiting: ErrorReport[] = [];
let deliver: ((report: ErrorReport) => void) | undefined;
let unseen = false;

function setUnseen(next: boolean): void {
  if (unseen === next) return;
  unseen = next;
  listeners.forEach((listener) => listener());
}

function add(report: ErrorReport): void {
  if (!passes(report)) return;
  if (deliver) deliver(report);
  else if (waiting.length < MOST_WAITING) waiting.push(report);
}

export const errorStore = {
  script: (error: unknown): void => add(reportOf(error, location.pathname)),
  ajax: (path: string, code: number, mes: string): void =>
    add({ type: 'ajax', code, mes: mes || String(code), url: path }),
  /** An error counts as unseen only once the server has stored it. */
  accepted: (): void => setUnseen(true),
  seen: (): void => setUnseen(false),
  /** Whether there are errors that nobody has looked at. */
  isUnseen: (): boolean => unseen,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** From now on reports go to `take`. Returns a function that ends this. */
  deliverTo: (take: (report: ErrorReport) => void): (() => void) => {
    deliver = take;
    waiting.splice(0).forEach(take);
    return () => {
      deliver = undefined;
    };
  },
};

addEventListener('error', ({ error, message }) => errorStore.script(error ?? message));
addEventListener('unhandledrejection', ({ reason }) => errorStore.script(reason));
