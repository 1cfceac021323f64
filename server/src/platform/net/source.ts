import ipaddr from 'ipaddr.js';

/**
 * The key under which attempts of an address are counted: the IPv4 address itself, or the /64 network of an IPv6 address. Every host has
 * its own /64 and could use a new address in it for each attempt.
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
