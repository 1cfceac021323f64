import { screenAt, type Screen } from '@sangam/contract/screens.ts';

/** The screen at a path of the console. */
export interface Place {
  readonly screen: Screen;
  /** Order code: shows one order of the list screen, in a tab of its own. */
  readonly orderCode?: string;
}

const ORDER_AREAS: ReadonlySet<string> = new Set(['collectionOrders', 'payoutOrders']);

/** `/order/list` is the list, `/order/list/9121…` one order of it; undefined where the path has no screen. */
export function placeAt(path: string): Place | undefined {
  const screen = screenAt(path);
  if (screen) return { screen };
  const [, base = '', orderCode] = /^(.+)\/(\d{1,19})$/.exec(path) ?? [];
  const list = orderCode === undefined ? undefined : screenAt(base);
  return list && orderCode !== undefined && ORDER_AREAS.has(list.area)
    ? { screen: list, orderCode }
    : undefined;
}

export const orderPath = (listPath: string, orderCode: string) => `${listPath}/${orderCode}`;
