import ipaddr from 'ipaddr.js';

/** IPv4 is placed above all of IPv6, so that both families are on one line of numbers. */
const FOURS = 1n << 128n;

/** A network as its first and last address. */
export interface Range {
  /** The network in its normal spelling: IPv4 written as IPv6 becomes IPv4, and host bits are removed. */
  readonly text: string;
  readonly first: bigint;
  readonly last: bigint;
}

function numberOf(address: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  const digits = BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`);
  return address instanceof ipaddr.IPv4 ? FOURS + digits : digits;
}

/** IPv4 as four decimal numbers, or IPv6; not the numbers and short forms ('2147483648', '10.1') that C libraries read as IPv4. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/** An address as a number on that line; undefined when it is not an address. IPv4 written as IPv6 is IPv4. */
export function pointOf(ip: string): bigint | undefined {
  return isAddress(ip) ? numberOf(ipaddr.process(ip)) : undefined;
}

/** A network or a single address; undefined when the text is neither. */
export function rangeOf(network: string): Range | undefined {
  const [written = '', bitsWritten, ...rest] = network.split('/');
  if (!isAddress(written) || rest.length > 0) return undefined;
  if (bitsWritten !== undefined && !/^\d+$/.test(bitsWritten)) return undefined;
  const whole = ipaddr.parse(written);
  const address = ipaddr.process(written);
  const unwrapped = whole.kind() === address.kind() ? 0 : 96;
  const size = address instanceof ipaddr.IPv4 ? 32 : 128;
  const bits = bitsWritten === undefined ? size : Number(bitsWritten) - unwrapped;
  if (!Number.isInteger(bits) || bits < 0 || bits > size) return undefined;
  const span = 1n << BigInt(size - bits);
  const number = numberOf(address);
  const first = number - (number % span);
  const base = ipaddr.fromByteArray(bytesOf(first, size)).toString();
  return { text: `${base}/${bits}`, first, last: first + span - 1n };
}

function bytesOf(number: bigint, size: number): number[] {
  const digits = (size === 32 ? number - FOURS : number).toString(16).padStart(size / 4, '0');
  return [...Buffer.from(digits, 'hex')];
}
