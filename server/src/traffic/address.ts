import { isIP, SocketAddress } from 'node:net';

/** The one spelling of an address (IPv4 if it is mapped into IPv6). Undefined when the text is no address. */
export function addressOf(text: string): string | undefined {
  const bare = text.trim();
  const family = isIP(bare);
  if (family === 0) return undefined;
  if (family === 4) return bare;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

/** The network that a client probably shares with its neighbours: /24 for IPv4, /48 for IPv6. '' without an address. */
export function networkOf(text: string | null): string {
  const address = text === null ? undefined : addressOf(text);
  if (address === undefined) return '';
  if (isIP(address) === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  const [head = ''] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  // Groups that the short spelling leaves out are zero.
  const first = [...groups, '0', '0', '0'].slice(0, 3);
  return `${addressOf(`${first.join(':')}::`)}/48`;
}
