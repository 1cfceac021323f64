import { endpoints } from 'virtual:endpoints';
import type { Currency } from '@sangam/contract/money.ts';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';

const FRESH_MS = 5 * 60_000;

export interface ProductChoice {
  readonly value: number;
  readonly label: string;
  readonly currency: Currency;
}

/** Products of both directions as options, with their ids, because two products may have the same name. */
export function useProductChoices(): readonly ProductChoice[] {
  const name = useNames();
  const { data } = useCall(endpoints.party.getOptions, {}, { staleMs: FRESH_MS });
  return (data?.products ?? []).map((product) => ({
    value: product.id,
    label: `${product.id} ${productLabel(name, product.id, product.name)}`,
    currency: product.currency,
  }));
}
