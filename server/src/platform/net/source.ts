import ipaddr from 'ipaddr.js';

/**
 * Whom an address stands for where attempts are counted: itself, of IPv6 its /64. Every host has a /64 of its own
 * and may take a new address of it for each attempt.
 */
export function sourceOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // `process` unwraps IPv4-mapped IPv6.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
