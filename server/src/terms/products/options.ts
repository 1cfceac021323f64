import type { z } from 'zod';
import type { getOptions } from '@sangam/contract/endpoints/party.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isStaff, teamOf, type Viewer } from '../../platform/viewer.ts';

type Output = z.input<typeof getOptions.output>;
type Product = Output['products'][number];

interface Named {
  readonly id: bigint;
  readonly name: string;
}

/**
 * Options of the list filters. Staff get every merchant and supplier; an agent gets its team and itself; any other supplier
 * gets itself. Suppliers and merchants get no merchants.
 */
export async function filterOptions({ db }: Platform, viewer: Viewer): Promise<Output> {
  const staff = isStaff(viewer);
  const own = viewer.role === 'supplier' ? viewer.supplierId : null;
  const [merchants, suppliers, products] = await Promise.all([
    db.query<Named>(sql`
      select m.id, m.name from merchants m join users u on u.id = m.user_id
      where u.deleted_at is null and ${staff} order by m.name, m.id`),
    db.query<Named>(sql`
      select s.id, s.name from suppliers s join users u on u.id = s.user_id
      where u.deleted_at is null and (${staff} or s.id = ${own} or s.id in ${teamOf(own ?? 0n)}) order by s.name, s.id`),
    db.query<Product>(
      sql`select id, name, direction, currency, channel from products where enabled order by id`,
    ),
  ]);
  return { merchants: merchants.map(option), suppliers: suppliers.map(option), products };
}

function option({ id, name }: Named): Output['merchants'][number] {
  return { id: String(id), name };
}
