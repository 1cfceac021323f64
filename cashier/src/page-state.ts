import type { Fetched, PayPage } from './api.ts';
import { resync } from './countdown.ts';

/**
 * What the page knows. It begins `loading`; the first answer makes it an `order`, `unknown`, `barred` or `unreachable`. Once an
 * order is on screen, lost connections only count as `failures`: what the payer reads and types stays. `paid` is final.
 */
export type PageState =
  | { readonly kind: 'loading' | 'unknown' | 'barred' | 'closed' | 'unreachable'; readonly failures: number }
  | OrderState;

export interface OrderState {
  readonly kind: 'order';
  readonly failures: number;
  readonly page: PayPage;
  /** On the `performance.now` clock. */
  readonly deadline: number;
  /** Where and how much to pay, as last shown; empty before anything was. */
  readonly offered: string;
  /** The operator gave the order another account or amount while the payer was looking at the former one. */
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
      // Who was shown where to pay may have paid: the page stays.
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
 * The stage to show. The server sweeps expired orders every so often; the payer must not be invited to pay between
 * the end of the countdown and the sweep.
 */
export function stageOf(page: PayPage, expired: boolean): Stage {
  if (page.state !== 'waiting') return page.state;
  if (expired) return 'timedOut';
  return page.payParams || page.needsName ? 'waiting' : 'preparing';
}

const POLL_MS = 3000;
/** Timed out and failed orders may still come back (late payment, another account), but nobody is waiting any more. */
const IDLE_POLL_MS = 10_000;
const LONGEST_BACK_OFF_MS = 30_000;

/** Wait before the next poll; undefined when the answer can no longer change. `random` in 0..1 spreads retries. */
export function pollDelay(state: PageState, random: number): number | undefined {
  if (state.kind === 'unknown' || state.kind === 'barred') return undefined;
  if (state.failures > 0) {
    const backOff = Math.min(POLL_MS * 2 ** (state.failures - 1), LONGEST_BACK_OFF_MS);
    return Math.round(backOff * (0.8 + 0.4 * random));
  }
  // The address may be let in again.
  if (state.kind === 'closed') return IDLE_POLL_MS;
  if (state.kind !== 'order') return POLL_MS;
  switch (state.page.state) {
    case 'paid':
      return undefined;
    case 'preparing':
    case 'waiting':
      return POLL_MS;
    case 'timedOut':
    case 'failed':
      return IDLE_POLL_MS;
  }
}
