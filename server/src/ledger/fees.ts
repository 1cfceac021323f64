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

export interface Split {
  /** Fee of the merchant, never more than the amount. */
  readonly fee: bigint;
  readonly supplierCommission: bigint;
  readonly agentCommission: bigint;
  /** What is left of the fee; negative when the commissions together exceed it. */
  readonly revenue: bigint;
}

/** Splits the fee of one order; fee = supplierCommission + agentCommission + revenue, always exactly. */
export function splitFee(
  amount: bigint,
  merchant: Terms,
  supplier: Terms | null,
  agent: Terms | null,
): Split {
  const of = (terms: Terms | null) => (terms ? share(amount, terms.ratePpm) + terms.fixedFee : 0n);
  const wanted = of(merchant);
  const fee = wanted > amount ? amount : wanted;
  const supplierCommission = of(supplier);
  const agentCommission = of(agent);
  return { fee, supplierCommission, agentCommission, revenue: fee - supplierCommission - agentCommission };
}
