/**
 * UPI deep link (NPCI UPI Linking Specification 1.6; the QR code has the same string). Every value is percent-encoded, spaces
 * as %20. The `@` of `pa` stays plain, because some apps fail on %40.
 */
export function upiLink(fields: readonly (readonly [name: string, value: string])[]): string {
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value).replace('%40', '@')}`);
  return `upi://pay?${query.join('&')}`;
}
