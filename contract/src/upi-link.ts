/**
 * UPI deep link (NPCI UPI Linking Specification 1.6; the QR is the same string): every value percent-encoded,
 * spaces as %20, the `@` of `pa` plain because some apps fail on %40.
 */
export function upiLink(fields: readonly (readonly [name: string, value: string])[]): string {
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value).replace('%40', '@')}`);
  return `upi://pay?${query.join('&')}`;
}
