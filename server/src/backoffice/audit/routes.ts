import * as contract from '@sangam/contract/endpoints/audit.ts';
import { auditSeal } from '../../audit/status.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { listAudit } from './list-audit.ts';

export const auditRoutes: readonly Route[] = [
  viewerRoute(contract.getAuditList, listAudit),
  viewerRoute(contract.getAuditSeal, auditSeal),
];
