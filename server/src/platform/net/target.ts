import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { addressMatcher } from './addresses.ts';
import { createNames, type Names } from './names.ts';

/** A target that the platform must not connect to. */
class ForbiddenTarget extends Error {}

/**
 * Whether an address is on the public internet. All others are refused (private, loopback, link-local, carrier-grade NAT, documentation,
 * multicast, and IPv6 forms that embed such IPv4), because a notifyUrl must not reach our own network.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // `process` unwraps IPv4-mapped IPv6.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // The IPv6 internet is 2000::/3. Other addresses that ipaddr calls unicast embed IPv4 (::a.b.c.d, 64:ff9b:1::/48) or are local to a site.
  return parsed instanceof ipaddr.IPv4 || (parsed.match(INTERNET) && !parsed.match(DOCUMENTATION));
}

const INTERNET = ipaddr.IPv6.parseCIDR('2000::/3');
/** The documentation network of RFC 9637. */
const DOCUMENTATION = ipaddr.IPv6.parseCIDR('3fff::/20');
/** Which non-public addresses may be connected to: all (true), none (false), or the listed addresses and networks. */
export type PrivateTargets = boolean | readonly string[];

function reachable(allowed: PrivateTargets): (address: string) => boolean {
  if (typeof allowed === 'boolean') return (address) => allowed || isPublicAddress(address);
  const isNamed = addressMatcher(allowed);
  return (address) => isPublicAddress(address) || isNamed(address);
}

/** Below 1024 only the web's ports are allowed, so that a notifyUrl cannot reach a mail server, for example. */
const LOW_PORTS = new Set(['', '80', '443']);

/**
 * Checks a URL before connecting: it must be http(s) without credentials, and an IP literal must be public, because a literal skips the
 * connection's look-up. Returns why the URL is refused, or undefined.
 */
export function refusedTarget(url: string, allowed: PrivateTargets): string | undefined {
  const target = URL.parse(url);
  if (!target) return 'not a URL';
  const { protocol, hostname, port, username, password } = target;
  if (protocol !== 'http:' && protocol !== 'https:') return 'not http or https';
  if (username || password) return 'carries credentials';
  if (allowed !== true && !LOW_PORTS.has(port) && Number(port) < 1024) return 'port is not one of the web';
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !reachable(allowed)(literal)) return 'address is not public';
  return undefined;
}

/**
 * The look-up function of a connection. It resolves the name once, refuses it when any address is not public, and connects to a checked
 * address. So a second DNS answer cannot replace the first (DNS rebinding).
 */
export function guardedLookup(allowed: PrivateTargets, names: Names = createNames()): LookupFunction {
  const isReachable = reachable(allowed);
  return (hostname, options, callback) => {
    names(hostname).then(
      (addresses) => {
        if (addresses.some(({ address }) => !isReachable(address))) {
          callback(new ForbiddenTarget(`${hostname} resolves to an address that is not public`), '', 0);
        } else if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
