import type { Endpoint } from '@sangam/contract/endpoint.ts';
import { findArchived } from '@sangam/contract/endpoints/archive.ts';
import { getList } from '@sangam/contract/endpoints/order.ts';
import { getMerchantList, getResourceList, getSupplierList } from '@sangam/contract/endpoints/party.ts';
import { getPayoutList } from '@sangam/contract/endpoints/payout.ts';
import type { search as endpoint } from '@sangam/contract/endpoints/search.ts';
import { id as idField } from '@sangam/contract/fields.ts';
import type { z } from 'zod';
import { listResources } from '../../accounts/list.ts';
import { findOrders } from '../../archive/list.ts';
import { listOrders } from '../../collection/list.ts';
import { listMerchants } from '../../parties/merchants/list.ts';
import { listPayouts } from '../../payout/list.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { listSuppliers } from '../../parties/suppliers/list.ts';
import type { Viewer } from '../../platform/viewer.ts';

type Found = z.input<typeof endpoint.output>['list'][number];

const MOST_OF_A_KIND = 5;
const page = { pageSize: MOST_OF_A_KIND };
/** A shorter text only finds names of screens, not rows. */
const SHORTEST = 3;
/** The fields that identify an order: its code, the merchant's number, the bank's reference. */
const ORDER_NAMES = ['orderCode', 'merchantOrderId', 'utr'] as const;

/**
 * Finds the rows that a text names. It asks the lists that the viewer may open, so their scope and masking apply. Orders are found whatever
 * their age.
 */
export async function search(
  platform: Platform,
  viewer: Viewer,
  { text }: { readonly text: string },
): Promise<{ readonly list: readonly Found[] }> {
  if (text.length < SHORTEST) return { list: [] };
  const may = ({ access }: Endpoint) => typeof access !== 'string' && access.includes(viewer.role);
  const orderNames = !/\s/.test(text) && text.length <= 64 ? ORDER_NAMES : [];
  const names = idField.safeParse(text).success ? [{ id: text }, { name: text }] : [{ name: text }];
  const lists = await Promise.all([
    ...(may(getList) ? orderNames : []).map(async (name) =>
      rowsOf(await listOrders(platform, viewer, { ...page, [name]: text })).map((row) =>
        found('collectionOrder', row.id, row.orderCode, row.mchOrderNo),
      ),
    ),
    ...(may(getPayoutList) ? orderNames : []).map(async (name) =>
      rowsOf(await listPayouts(platform, viewer, { ...page, [name]: text })).map((row) =>
        found('payoutOrder', row.id, row.orderCode, row.mchOrderNo),
      ),
    ),
    ...(may(findArchived) && orderNames.length > 0 ? [text] : []).map(async (name) =>
      (await findOrders(platform, viewer, { text: name })).list.map((row) =>
        found('archivedOrder', row.orderCode, row.orderCode, row.mchOrderNo),
      ),
    ),
    ...(may(getResourceList) ? [text] : []).map(async (account) =>
      rowsOf(await listResources(platform, viewer, { ...page, account })).map((row) =>
        found('receivingAccount', row.id, `${row.bank} ${row.accountNumber}`, row.supplierName),
      ),
    ),
    ...(may(getMerchantList) ? names : []).map(async (name) =>
      rowsOf(await listMerchants(platform, viewer, { ...page, ...name })).map((row) =>
        found('merchant', row.id, row.name, row.account),
      ),
    ),
    ...(may(getSupplierList) ? names : []).map(async (name) =>
      rowsOf(await listSuppliers(platform, viewer, { ...page, ...name })).map((row) =>
        found('supplier', row.id, row.name, row.account),
      ),
    ),
  ]);
  // One order may be found by two fields.
  const once = new Map(lists.flat().map((each) => [`${each.kind} ${each.id}`, each]));
  return { list: [...once.values()] };
}

function rowsOf<Row>(answer: { readonly list: readonly Row[] } | Refusal): readonly Row[] {
  return isRefusal(answer) ? [] : answer.list;
}

function found(kind: Found['kind'], id: string, name: string, detail: string): Found {
  return { kind, id, name, detail };
}
