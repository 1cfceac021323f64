import * as contract from '@sangam/contract/endpoints/bank-statement.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { importStatement, listLines, listStatements } from './import-statement.ts';

export const statementRoutes: readonly Route[] = [
  viewerRoute(contract.importBankStatement, importStatement),
  viewerRoute(contract.getBankStatementImportList, listStatements),
  viewerRoute(contract.getBankStatementImportLines, listLines),
];
