import { MOST_COMMISSION_PPM } from '@sangam/contract/money.ts';

const PPM = 1_000_000n;

/** Terms of one party: parts per million of the amount plus a fixed part in minor units. */
export interface Terms {
  readonly ratePpm: number;
  readonly fixedFee: bigint;
}

/** `amount` × `ratePpm` / 1,000,000, rounded half-even to the minor unit. `amount` is not negative. */
export function share(amount: bigint, ratePpm: number): bigint {
  const product = amount * BigInt(ratePpm);
  const quotient = product / PPM;
  const twice = (product % PPM) * 2n;
  if (twice > PPM || (twice === PPM && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}

/** The terms of an agent for the turnover of a supplier below it. */
export interface AgentTerms {
  /** Supplier id of the agent. */
  readonly agentId: bigint;
  readonly terms: Terms;
}

export interface AgentShare {
  readonly agentId: bigint;
  readonly amount: bigint;
}

export interface Split {
  /** Fee of the merchant, never more than the amount. */
  readonly fee: bigint;
  /** At most MOST_COMMISSION_PPM of the amount. The same limit holds for each agent. */
  readonly supplierCommission: bigint;
  /** The sum over all agents. */
  readonly agentCommission: bigint;
  /** The share of each agent, the agent nearest to the supplier first; agents with a share of zero are left out. */
  readonly agents: readonly AgentShare[];
  /** The rest of the fee; negative when the commissions together exceed the fee. */
  readonly revenue: bigint;
}

/** Splits the fee of one order; fee = supplierCommission + agentCommission + revenue, always exactly. */
export function splitFee(
  amount: bigint,
  merchant: Terms,
  supplier: Terms | null,
  agents: readonly AgentTerms[],
): Split {
  const of = (terms: Terms | null) => (terms ? share(amount, terms.ratePpm) + terms.fixedFee : 0n);
  const wanted = of(merchant);
  const fee = wanted > amount ? amount : wanted;
  // A limit on the rate alone would not limit the fixed part.
  const most = share(amount, MOST_COMMISSION_PPM);
  const commission = (terms: Terms | null) => {
    const earned = of(terms);
    return earned > most ? most : earned;
  };
  const supplierCommission = commission(supplier);
  const shares = agents
    .map(({ agentId, terms }) => ({ agentId, amount: commission(terms) }))
    .filter((each) => each.amount !== 0n);
  const agentCommission = shares.reduce((total, each) => total + each.amount, 0n);
  return {
    fee,
    supplierCommission,
    agentCommission,
    agents: shares,
    revenue: fee - supplierCommission - agentCommission,
  };
}
