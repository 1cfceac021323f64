import { endpoints } from 'virtual:endpoints';
import type { Direction } from '@sangam/contract/products.ts';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';
import type { FilterOption } from './list-definition.ts';

const FRESH_MS = 5 * 60_000;

export interface FilterOptions {
  readonly merchants: readonly FilterOption[];
  readonly suppliers: readonly FilterOption[];
  /** Products of the given direction. */
  readonly products: readonly FilterOption[];
}

/** Options of the filters for merchants, suppliers and products, as far as the viewer may see them. */
export function useFilterOptions(direction: Direction = 'in'): FilterOptions {
  const name = useNames();
  const { data } = useCall(endpoints.party.getOptions, {}, { staleMs: FRESH_MS });
  const option = (choice: { id: string; name: string }) => ({ value: choice.id, label: choice.name });
  return {
    merchants: data?.merchants.map(option) ?? [],
    suppliers: data?.suppliers.map(option) ?? [],
    products:
      data?.products
        .filter((product) => product.direction === direction)
        .map((product) => ({
          value: String(product.id),
          label: productLabel(name, product.id, product.name),
        })) ?? [],
  };
}
