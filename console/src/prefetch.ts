import { list } from 'virtual:endpoints/list';
import { message } from 'virtual:endpoints/message';
import { order } from 'virtual:endpoints/order';
import { party } from 'virtual:endpoints/party';
import { payout } from 'virtual:endpoints/payout';
import type { Call } from 'virtual:endpoints';
import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import { callKey } from './http/call-key.ts';
import { pagingInput, readListState } from './operator-table/list-state.ts';
import { readPreference } from './session/kept-preference.ts';
import { placeAt } from './navigation/place.ts';
import { call } from './sign-in/call.ts';

/** An answer that the page will ask for, requested while its scripts are still loading. */
export interface Prefetched {
  readonly key: readonly unknown[];
  readonly answer: Promise<unknown>;
}

/** A call whose input comes from the address by the list's own code: names and numbers. */
type AnyCall = Pick<Call<Readonly<Record<string, unknown>>, unknown>, 'method' | 'path' | 'access'>;

/** The lists that operators use most: name, and call for the rows. Their sums are asked for once the rows are here (`CardsProps`). */
const LISTS: Readonly<Record<string, readonly [name: string, rows: AnyCall]>> = {
  collectionOrders: ['collectionOrders', order.getList],
  payoutOrders: ['payoutOrders', payout.getPayoutList],
};

function ask<Input>(definition: Call<Input, unknown>, input: Input): Prefetched {
  const answer = call(definition, input);
  // The query that takes the answer over reports its failure.
  answer.catch(() => undefined);
  return { key: callKey(definition, input), answer };
}

/**
 * Requests what the first drawing of a list of orders needs, with the same input as the list itself, so that the rows arrive
 * together with the program and are drawn once. Requests nothing for other pages, and no rows where the address has filters.
 */
export function prefetch(path: string, search: string, viewer: UserInfo): readonly Prefetched[] {
  const place = placeAt(path);
  const found = place && place.orderCode === undefined ? LISTS[place.screen.area] : undefined;
  if (!place || !found) return [];
  const [name, rows] = found;
  const common = [ask(list.getListViews, { list: name }), ask(party.getOptions, {}), ask(message.init, {})];
  if (search) return common;
  const kept = readPreference(viewer.user_id, `${name}.arrangement`) as { pageSize?: unknown } | undefined;
  const fixed = place.screen.variant === 'team' ? { scope: 'team' } : {};
  const paging = pagingInput(readListState('', [], kept?.pageSize));
  return [ask(rows, { ...fixed, ...paging }), ...common];
}
