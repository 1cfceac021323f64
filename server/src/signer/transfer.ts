import { createHash } from 'node:crypto';
import { hexOfTronAddress } from '../platform/tron-address.ts';

/** A TRC20 transfer to be signed. */
export interface Transfer {
  readonly from: string;
  readonly to: string;
  /** Millionths. */
  readonly amount: bigint;
  readonly contract: string;
  /** A recent block that it refers to: number, and id in hex. */
  readonly block: { readonly number: bigint; readonly id: string };
  /** Milliseconds. No block at or after `expiration` takes it. */
  readonly timestamp: number;
  readonly expiration: number;
  /** Sun: the most that the transfer's energy may cost. */
  readonly feeLimit: bigint;
}

/** keccak256('transfer(address,uint256)'), first four bytes. */
const TRANSFER = 'a9059cbb';
const TRIGGER_SMART_CONTRACT = 31n;
const TRIGGER_TYPE = 'type.googleapis.com/protocol.TriggerSmartContract';

/**
 * The bytes of protocol.Transaction.raw that TRON signs (tronprotocol/protocol, core/Tron.proto and core/contract/smart_contract.proto).
 * As java-tron writes them: fields in the order of their numbers, without empty ones.
 */
export function rawTransfer(transfer: Transfer): Buffer {
  const { from, to, amount, contract, block, timestamp, expiration, feeLimit } = transfer;
  const data = TRANSFER + hexOfTronAddress(to).padStart(64, '0') + amount.toString(16).padStart(64, '0');
  const trigger = Buffer.concat([
    bytes(1, addressBytes(from)),
    bytes(2, addressBytes(contract)),
    bytes(4, Buffer.from(data, 'hex')),
  ]);
  const any = Buffer.concat([bytes(1, Buffer.from(TRIGGER_TYPE)), bytes(2, trigger)]);
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(block.number);
  return Buffer.concat([
    bytes(1, number.subarray(6)),
    bytes(4, Buffer.from(block.id, 'hex').subarray(8, 16)),
    varint(8, BigInt(expiration)),
    bytes(11, Buffer.concat([varint(1, TRIGGER_SMART_CONTRACT), bytes(2, any)])),
    varint(14, BigInt(timestamp)),
    varint(18, feeLimit),
  ]);
}

/** A transaction's id: the hash that is signed. */
export function idOf(raw: Buffer): Buffer {
  return createHash('sha256').update(raw).digest();
}

/** The whole signed transaction, as a node accepts it. */
export function signedTransaction(raw: Buffer, signature: Buffer): Buffer {
  return Buffer.concat([bytes(1, raw), bytes(2, signature)]);
}

function addressBytes(address: string): Buffer {
  return Buffer.from(`41${hexOfTronAddress(address)}`, 'hex');
}

function number(value: bigint): Buffer {
  const digits: number[] = [];
  let left = value;
  for (; left > 127n; left >>= 7n) digits.push(Number(left & 127n) | 128);
  return Buffer.from([...digits, Number(left)]);
}

function varint(field: number, value: bigint): Buffer {
  return Buffer.concat([number(BigInt(field * 8)), number(value)]);
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([number(BigInt(field * 8 + 2)), number(BigInt(value.length)), value]);
}
