import * as contract from '@sangam/contract/endpoints/merchant.ts';
import { getSupplierList } from '@sangam/contract/endpoints/party.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { createSupplier } from './create-supplier.ts';
import { listSuppliers } from './list.ts';
import { listTeam } from './team.ts';
import { updateSupplier } from './update-supplier.ts';

export const suppliersRoutes: readonly Route[] = [
  viewerRoute(getSupplierList, listSuppliers),
  viewerRoute(contract.createSupplier, createSupplier),
  viewerRoute(contract.updateSupplier, updateSupplier),
  viewerRoute(contract.getSupplierProxyList, listTeam),
];
