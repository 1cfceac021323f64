/** The tax that an amount contains, in minor units. The amount without tax is rounded half-even to the minor unit. */
export function containedTax(amount: bigint, percent: number): bigint {
  const size = amount < 0n ? -amount : amount;
  const [part, whole] = [size * 100n, 100n + BigInt(percent)];
  const twice = (part % whole) * 2n;
  const quotient = part / whole;
  const net = twice > whole || (twice === whole && quotient % 2n === 1n) ? quotient + 1n : quotient;
  return amount < 0n ? net - size : size - net;
}
