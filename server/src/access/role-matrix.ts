import { APPROVAL_KINDS, APPROVAL_RULES } from '@sangam/contract/approvals.ts';
import type { Endpoint } from '@sangam/contract/endpoint.ts';
import { ENDPOINTS } from '@sangam/contract/endpoints/index.ts';
import type { getRoleMatrix } from '@sangam/contract/endpoints/role-matrix.ts';
import { COLLECTION_ACTIONS, collectionActionRoles } from '@sangam/contract/orders.ts';
import { PAYOUT_ACTIONS, payoutActionRoles } from '@sangam/contract/payouts.ts';
import type { MatrixCell, MatrixKind } from '@sangam/contract/role-matrix.ts';
import { ROLES, type Role } from '@sangam/contract/roles.ts';
import { isReadOnly, mayOpen, SCREENS } from '@sangam/contract/screens.ts';
import type { z } from 'zod';
import { roleMayCall } from './access-problem.ts';

export type MatrixRow = {
  readonly kind: MatrixKind;
  readonly name: string;
  readonly sensitive: boolean;
} & Readonly<Record<Role, MatrixCell>>;

const DEFAULT_SIZE = 20;

function row(
  kind: MatrixKind,
  name: string,
  cellOf: (role: Role) => MatrixCell,
  sensitive = false,
): MatrixRow {
  const cells = Object.fromEntries(ROLES.map((role) => [role, cellOf(role)])) as Record<Role, MatrixCell>;
  return { kind, name, sensitive, ...cells };
}

const listed = (roles: readonly Role[]) => (role: Role) => (roles.includes(role) ? 'yes' : 'no');
const isOfSessions = ({ access }: Endpoint) =>
  access === 'anyUser' || access === 'binding' || typeof access !== 'string';

/** Made from the tables themselves each time, so there is no second list that could differ from what is enforced. */
export function matrixRows(): readonly MatrixRow[] {
  return [
    ...SCREENS.filter(({ roles }) => roles !== 'public').map((screen) =>
      row('screen', screen.path, (role) =>
        !mayOpen(role, screen) ? 'no' : isReadOnly(role, screen) ? 'reads' : 'yes',
      ),
    ),
    ...COLLECTION_ACTIONS.map((action) =>
      row('action', `collection ${action}`, listed(collectionActionRoles(action))),
    ),
    ...PAYOUT_ACTIONS.map((action) => row('action', `payout ${action}`, listed(payoutActionRoles(action)))),
    ...APPROVAL_KINDS.flatMap((kind) =>
      (['start', 'decide'] as const).map((part) =>
        row('request', `${part} ${kind}`, listed(APPROVAL_RULES[kind][part])),
      ),
    ),
    ...ENDPOINTS.filter(isOfSessions).map((each) =>
      row(
        'call',
        `${each.method} ${each.path}`,
        (role) => (roleMayCall(role, each) ? 'yes' : 'no'),
        each.sensitive,
      ),
    ),
  ];
}

/** The matrix as a list; the id of a row is its position. */
export function roleMatrix(
  input: z.output<typeof getRoleMatrix.input>,
): Promise<z.input<typeof getRoleMatrix.output>> {
  const { kind, role, name, cursor } = input;
  const pageSize = input.pageSize ?? input.pageNum ?? DEFAULT_SIZE;
  const pageIndex = input.pageIndex ?? 1;
  const wanted = name?.toLowerCase();
  const fitting = matrixRows()
    .map((each, place) => ({ ...each, id: String(place + 1) }))
    .filter(
      (each) =>
        (kind === undefined || each.kind === kind) &&
        (role === undefined || each[role] !== 'no') &&
        (wanted === undefined || each.name.toLowerCase().includes(wanted)),
    );
  const list =
    cursor === undefined
      ? fitting.slice((pageIndex - 1) * pageSize, pageIndex * pageSize)
      : fitting.filter(({ id }) => Number(id) > Number(cursor)).slice(0, pageSize);
  const isFull = list.length === pageSize;
  return Promise.resolve({
    list,
    total: fitting.length,
    totalCapped: false,
    pageIndex,
    pageSize,
    nextCursor: isFull ? list.at(-1)!.id : null,
  });
}
