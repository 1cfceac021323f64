import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { filter, id, listOf, paging, textFilter } from '../fields.ts';
import { MATRIX_CELLS, MATRIX_KINDS } from '../role-matrix.ts';
import { ROLES, type Role } from '../roles.ts';

const cell = z.enum(MATRIX_CELLS);
const cells = Object.fromEntries(ROLES.map((role) => [role, cell])) as Record<Role, typeof cell>;

export const getRoleMatrix = endpoint({
  method: 'GET',
  path: '/v1.0/user/getRoleMatrix',
  summary:
    'Who may do what: every screen, action, request for approval and call with each role, from the tables the server enforces',
  access: ['superAdmin', 'technicalMaintenance', 'technicalSupport'],
  input: z.object({
    ...paging,
    kind: filter(z.enum(MATRIX_KINDS)),
    /** Rows that this role may use in some way. */
    role: filter(z.enum(ROLES)),
    name: textFilter,
  }),
  output: listOf(
    z.object({
      id,
      kind: z.enum(MATRIX_KINDS),
      /** Path of a screen or call; `collection NAME` and `payout NAME` for actions; `start KIND` and `decide KIND` for requests. */
      name: z.string(),
      /** Needs the second-level password while EnablePayPassword is on. */
      sensitive: z.boolean(),
      ...cells,
    }),
  ),
});
