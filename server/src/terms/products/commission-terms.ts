import { type Queryable, hot, sql } from '../../platform/db/database.ts';
import type { AgentTerms, Terms } from '../../ledger/fees.ts';
import { MOST_AGENT_LEVELS } from '../../platform/viewer.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';

/** The terms by which a supplier and the agents above it earn on an order. */
export interface SupplierTerms {
  readonly supplier: Terms | null;
  /** The agent nearest to the supplier first. Agents without terms for the product earn nothing and are left out. */
  readonly agents: readonly AgentTerms[];
}

/** An order whose commissions are asked for. */
export interface CommissionRequest {
  /** Null for an order that no supplier took. */
  readonly supplierId: bigint | null;
  readonly productId: number;
  /** When the order was created: terms set later do not apply. */
  readonly at: Date;
}

/** A member of a supplier's chain: itself at level 0, its agent at 1, the agent's agent at 2 and so on. */
interface Link {
  readonly supplierId: bigint;
  readonly productId: number;
  readonly ownerId: bigint;
  readonly level: number;
  readonly enabled: boolean | null;
  readonly ratePpm: number | null;
  readonly fixedFee: bigint | null;
}

/** Commission terms of these orders, by position, as they were at each order's creation. */
export async function supplierTerms(
  db: Queryable,
  requests: readonly CommissionRequest[],
): Promise<SupplierTerms[]> {
  const taken = requests.filter((request) => request.supplierId !== null);
  if (taken.length === 0) return requests.map(() => NOTHING);
  const links = await readLinks(db, taken);
  const asOf = await readTermsSince(
    db,
    links,
    new Date(Math.min(...taken.map((request) => request.at.getTime()))),
  );
  const chains = Map.groupBy(links, (link) => `${link.supplierId}/${link.productId}`);
  return requests.map((request) => {
    if (request.supplierId === null) return NOTHING;
    const [own, ...above] = chains.get(`${request.supplierId}/${request.productId}`) ?? [];
    const termsAt = (link: Link): Terms | null => {
      const terms = asOf(link, request.at);
      if (!terms) return null;
      const { enabled, ratePpm, fixedFee } = terms;
      // Switching off a supplier's product stops new orders, but the supplier still earns on open ones. An agent that is
      // switched off earns nothing.
      if (ratePpm === null || (link.level > 0 && !enabled)) return null;
      return { ratePpm, fixedFee: fixedFee ?? 0n };
    };
    return {
      supplier: own ? termsAt(own) : null,
      agents: above.flatMap((link) => {
        const terms = termsAt(link);
        return terms ? [{ agentId: link.ownerId, terms }] : [];
      }),
    };
  });
}

const NOTHING: SupplierTerms = { supplier: null, agents: [] };

/** The chains of these suppliers with the terms in force now, sorted by level. */
function readLinks(db: Queryable, requests: readonly CommissionRequest[]): Promise<Link[]> {
  return db.query<Link>(
    hot(
      'commission terms',
      sql`
    with recursive wanted as (
      select distinct supplier_id, product_id
      from ${unnestRows({ supplierId: 'bigint', productId: 'int' }, requests)}
    ), chain as (
      select w.supplier_id, w.product_id, s.id as owner_id, s.agent_id, 0 as level
      from wanted w join suppliers s on s.id = w.supplier_id
      union all
      select c.supplier_id, c.product_id, s.id, s.agent_id, c.level + 1
      from chain c join suppliers s on s.id = c.agent_id where c.level < ${MOST_AGENT_LEVELS}
    )
    select c.supplier_id as "supplierId", c.product_id as "productId", c.owner_id as "ownerId", c.level,
      u.enabled, u.rate_ppm as "ratePpm", u.fixed_fee as "fixedFee"
    from chain c left join user_products u on u.owner_kind = case c.level when 0 then 'supplier' else 'agent' end
      and u.owner_id = c.owner_id and u.product_id = c.product_id
    order by c.supplier_id, c.product_id, c.level`,
    ),
  );
}

type InForce = Pick<Link, 'enabled' | 'ratePpm' | 'fixedFee'>;
type PastTerms = InForce &
  Pick<Link, 'ownerId' | 'productId'> & {
    readonly ownerKind: 'supplier' | 'agent';
    readonly effectiveAt: Date;
  };

/**
 * Looks up terms as of a moment. An agent without terms at that moment has none. A supplier may take an order that is older
 * than its first terms; it then earns by its first terms.
 */
async function readTermsSince(
  db: Queryable,
  links: readonly Link[],
  since: Date,
): Promise<(link: Link, at: Date) => InForce | undefined> {
  const kindOf = (link: Link) => (link.level === 0 ? 'supplier' : 'agent');
  const rows = await db.query<PastTerms>(
    hot(
      'terms since',
      sql`
    select t.owner_kind as "ownerKind", t.owner_id as "ownerId", t.product_id as "productId", t.enabled,
      t.rate_ppm as "ratePpm", t.fixed_fee as "fixedFee", t.effective_at as "effectiveAt"
    from (
      select distinct owner_kind, owner_id, product_id
      from ${unnestRows(
        { ownerKind: 'text', ownerId: 'bigint', productId: 'int' },
        links.map((link) => ({ ...link, ownerKind: kindOf(link) })),
      )}
    ) v join user_product_terms t using (owner_kind, owner_id, product_id)
    where exists (select from user_product_terms n where n.owner_kind = t.owner_kind and n.owner_id = t.owner_id
      and n.product_id = t.product_id and n.effective_at > ${since} and n.applied_at is not null)
    order by t.effective_at desc, t.id desc`,
    ),
  );
  const nameOf = (kind: string, ownerId: bigint, productId: number) => `${kind}/${ownerId}/${productId}`;
  const histories = Map.groupBy(rows, (row) => nameOf(row.ownerKind, row.ownerId, row.productId));
  return (link, at) => {
    const history = histories.get(nameOf(kindOf(link), link.ownerId, link.productId));
    // Nothing has changed since: the present terms were in force then.
    if (!history) return link;
    const then = history.find((row) => row.effectiveAt.getTime() <= at.getTime());
    return then ?? (link.level === 0 ? history.at(-1) : undefined);
  };
}
