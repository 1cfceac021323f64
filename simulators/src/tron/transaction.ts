import { createHash } from 'node:crypto';
import { tronAddressOf } from '@sangam/server/platform/tron-address.ts';
import { signerOf } from '@sangam/server/channels/usdt/tron-signature.ts';

/** A signed TRC20 transfer as a node reads it off the wire. */
export interface ReadTransfer {
  readonly txid: string;
  readonly refBlockBytes: string;
  readonly refBlockHash: string;
  readonly expiration: number;
  readonly feeLimit: bigint;
  readonly owner: string;
  readonly contract: string;
  /** The recipient in the call's data; undefined for another call. */
  readonly to: string | undefined;
  readonly value: bigint;
  /** The address whose key signed it. */
  readonly signer: string | undefined;
}

type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

const TRANSFER = 'a9059cbb';

/**
 * Reads a protocol.Transaction with one TriggerSmartContract; undefined for anything else. Deliberately independent of the code
 * that writes it.
 */
export function readTransaction(hex: string): ReadTransfer | undefined {
  try {
    const whole = fieldsOf(Buffer.from(hex, 'hex'));
    const raw = bytesOf(whole, 1);
    const body = fieldsOf(raw);
    const contract = fieldsOf(bytesOf(body, 11));
    if (contract.get(1)?.[0] !== 31n) return undefined;
    const any = fieldsOf(bytesOf(contract, 2));
    if (!bytesOf(any, 1).toString().endsWith('protocol.TriggerSmartContract')) return undefined;
    const call = fieldsOf(bytesOf(any, 2));
    const data = bytesOf(call, 4).toString('hex');
    const isTransfer = data.startsWith(TRANSFER) && data.length === 136;
    const id = createHash('sha256').update(raw).digest();
    return {
      txid: id.toString('hex'),
      refBlockBytes: bytesOf(body, 1).toString('hex'),
      refBlockHash: bytesOf(body, 4).toString('hex'),
      expiration: Number(body.get(8)?.[0] ?? 0n),
      feeLimit: (body.get(18)?.[0] as bigint | undefined) ?? 0n,
      owner: addressOf(bytesOf(call, 1)),
      contract: addressOf(bytesOf(call, 2)),
      to: isTransfer ? tronAddressOf(data.slice(32, 72)) : undefined,
      value: isTransfer ? BigInt(`0x${data.slice(72)}`) : 0n,
      signer: signerOf(id, bytesOf(whole, 2)),
    };
  } catch {
    return undefined;
  }
}

function addressOf(bytes: Buffer): string {
  if (bytes.length !== 21 || bytes[0] !== 0x41) throw new Error('no address');
  return tronAddressOf(bytes.subarray(1).toString('hex'));
}

function bytesOf(fields: Fields, number: number): Buffer {
  const [value] = fields.get(number) ?? [];
  if (!Buffer.isBuffer(value)) throw new Error(`field ${number} is missing`);
  return value;
}

/** The fields of a protobuf message by number. These messages have only varints and byte strings. */
function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = (): bigint => {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = message.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
      shift += 7n;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    let value: bigint | Buffer;
    if ((tag & 7n) === 0n) value = varint();
    else if ((tag & 7n) === 2n) {
      const length = Number(varint());
      if (at + length > message.length) throw new Error('too short');
      value = message.subarray(at, at + length);
      at += length;
    } else throw new Error('another kind of field');
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}
