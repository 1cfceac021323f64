import type { Fetched, PayPage } from './api.ts';
import { resync } from './countdown.ts';

/**
 * What the page knows. It begins with `loading`; the first answer makes it `order`, `unknown`, `barred`, `closed` or `unreachable`.
 * Once an order is on the screen, lost connections only count as `failures`, so that the payer can go on reading and typing. `paid`
 * is final.
 */
export type PageState =
  | { readonly kind: 'loading' | 'unknown' | 'barred' | 'closed' | 'unreachable'; readonly failures: number }
  | OrderState;

export interface OrderState {
  readonly kind: 'order';
  readonly failures: number;
  readonly page: PayPage;
  /** In the time of the `performance.now` clock. */
  readonly deadline: number;
  /** The payment details as last shown; empty before any were shown. */
  readonly offered: string;
  /** The operator has changed the order's account or amount while the payer was looking at the old one. */
  readonly detailsChanged: boolean;
}

export type PageEvent =
  | { readonly kind: 'fetched'; readonly fetched: Fetched }
  | { readonly kind: 'submitted'; readonly utr: string };

export const INITIAL: PageState = { kind: 'loading', failures: 0 };

export function reduce(state: PageState, event: PageEvent): PageState {
  if (event.kind === 'submitted') {
    return state.kind === 'order' ? { ...state, page: { ...state.page, submittedUtr: event.utr } } : state;
  }
  const { fetched } = event;
  const before = state.kind === 'order' ? state : undefined;
  if (before?.page.state === 'paid') return before;
  switch (fetched.kind) {
    case 'unknown':
    case 'barred':
      return { kind: fetched.kind, failures: 0 };
    case 'closed':
      // A payer who has seen where to pay may have paid, so the page stays.
      return before ?? { kind: 'closed', failures: 0 };
    case 'unreachable':
      return before
        ? { ...before, failures: before.failures + 1 }
        : { kind: 'unreachable', failures: state.failures + 1 };
    case 'page': {
      const shown = before?.offered ?? '';
      const offered = whereToPay(fetched.page) || shown;
      return {
        kind: 'order',
        failures: 0,
        page: fetched.page,
        deadline: resync(before?.deadline, fetched.deadline),
        offered,
        detailsChanged: before?.detailsChanged === true || (shown !== '' && shown !== offered),
      };
    }
  }
}

function whereToPay({ payParams }: PayPage): string {
  if (!payParams) return '';
  const { payableAmount, vpa, upiLink, accountNumber, ifsc, identifyCode } = payParams;
  return JSON.stringify([payableAmount, vpa, upiLink, accountNumber, ifsc, identifyCode]);
}

export type Stage = PayPage['state'];

/**
 * The stage to show. The server marks expired orders only at intervals. Between the end of the countdown and that moment, the payer
 * must not be asked to pay.
 */
export function stageOf(page: PayPage, expired: boolean): Stage {
  if (page.state !== 'waiting') return page.state;
  if (expired) return 'timedOut';
  return page.payParams || page.needsName ? 'waiting' : 'preparing';
}

const POLL_MS = 3000;
/** Timed-out and failed orders may still change (a late payment, another account), but nobody is waiting for them. */
const IDLE_POLL_MS = 10_000;
const LONGEST_BACK_OFF_MS = 30_000;

/** Wait in milliseconds before the next poll; undefined when the answer can no longer change. `random` (0 to 1) spreads retries. */
export function pollDelay(state: PageState, random: number): number | undefined {
  if (state.kind === 'unknown' || state.kind === 'barred') return undefined;
  if (state.failures > 0) {
    const backOff = Math.min(POLL_MS * 2 ** (state.failures - 1), LONGEST_BACK_OFF_MS);
    return Math.round(backOff * (0.8 + 0.4 * random));
  }
  // The address may be unfrozen.
  if (state.kind === 'closed') return IDLE_POLL_MS;
  if (state.kind !== 'order') return POLL_MS;
  switch (state.page.state) {
    case 'paid':
    case 'reversed':
      return undefined;
    case 'preparing':
    case 'waiting':
      return POLL_MS;
    case 'timedOut':
    case 'failed':
      return IDLE_POLL_MS;
  }
}
