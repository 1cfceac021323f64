import { getSupplierList } from '@sangam/contract/endpoints/party.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { listSuppliers } from './list.ts';

export const suppliersRoutes: readonly Route[] = [viewerRoute(getSupplierList, listSuppliers)];
