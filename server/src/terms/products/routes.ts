import { getOptions } from '@sangam/contract/endpoints/party.ts';
import * as product from '@sangam/contract/endpoints/product.ts';
import * as terms from '@sangam/contract/endpoints/terms.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { listTerms } from './list-terms.ts';
import { listProducts, updateProduct } from './manage-products.ts';
import { copyTerms } from './copy-terms.ts';
import { filterOptions } from './options.ts';
import { cancelTerms } from './cancel-terms.ts';
import { setTerms } from './set-terms.ts';

export const productsRoutes: readonly Route[] = [
  viewerRoute(getOptions, filterOptions),
  viewerRoute(product.getProductList, listProducts),
  viewerRoute(product.updateProduct, updateProduct),
  viewerRoute(terms.setUserProduct, setTerms),
  viewerRoute(terms.copyUserProducts, copyTerms),
  viewerRoute(terms.cancelUserProduct, cancelTerms),
  viewerRoute(terms.getUserProductList, listTerms),
];
