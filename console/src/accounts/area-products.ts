import { endpoints } from 'virtual:endpoints';
import { type AccountArea, isInArea } from '@sangam/contract/account-kinds.ts';
import type { Currency } from '@sangam/contract/money.ts';
import type { Channel, Direction } from '@sangam/contract/products.ts';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';

const FRESH_MS = 5 * 60_000;

export interface AreaProduct {
  readonly id: number;
  readonly label: string;
  readonly currency: Currency;
  readonly channel: Channel;
  readonly direction: Direction;
}

/** Products that accounts of an area can be for. */
export function useAreaProducts(area: AccountArea): readonly AreaProduct[] {
  const name = useNames();
  const { data } = useCall(endpoints.party.getOptions, {}, { staleMs: FRESH_MS });
  return (data?.products ?? [])
    .filter((product) => isInArea(area, product))
    .map((product) => ({ ...product, label: productLabel(name, product.id, product.name) }));
}
