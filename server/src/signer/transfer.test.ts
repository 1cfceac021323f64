import { expect, test } from 'vitest';
import { signerOf } from '../channels/usdt/tron-signature.ts';
import { idOf, rawTransfer, signedTransaction } from './transfer.ts';
import { newPrivateKey, walletKey } from './wallet-key.ts';
import { readTransaction } from '@sangam/simulators/tron/transaction.ts';

/** Made with tronweb 6: a key, a transfer by it, its bytes, id and signature. */
const VECTOR = {
  key: 'b5a4cea271ff424d7c31dc12a3e43e401df7a40d7412a15750f3f0b6b5449a28',
  from: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  to: 'TJmmqjb1DK9TTZbQXzRQ2AuA94z4gKAPFh',
  contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  amount: 1_234_567_890n,
  block: { number: 70_000_123n, id: `00000000042c1dfb${'0123456789abcdef'.repeat(3)}` },
  timestamp: 1_795_000_000_000,
  expiration: 1_795_000_120_000,
  feeLimit: 50_000_000n,
};
const RAW =
  '0a021dfb22080123456789abcdef40c0e5e0f29e345aae01081f12a9010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412740a1541c8599111f29c1e1e061265b4af93ea1f274ad78a121541a614f803b6fd780986a42c78ec9c7f77e6ded13c2244a9059cbb000000000000000000000000608f8da72479edc7dd921e4c30bb7e7cddbe722e00000000000000000000000000000000000000000000000000000000499602d27080bcd9f29e34900180e1eb17';
const ID = '101f9420dc9e40ef5bdb23d9544774eb2e9a324e7719a9a02f3ed5ead9fda66c';
const SIGNATURE =
  '38f492be079745cc7e733550eaa7a563c45f9f2d5b1b5f5ee442a8618e4937c13502eec102661e3bffc8aa06c9f689bdcfb1ceeee716ed562d11a92cc4e1a2631c';

test('a transfer is the bytes and the id that TRON’s own library makes of it', () => {
  const raw = rawTransfer(VECTOR);
  expect(raw.toString('hex')).toBe(RAW);
  expect(idOf(raw).toString('hex')).toBe(ID);
});

test('a key has its address, and a foreign signature is traced back to it', () => {
  expect(walletKey(VECTOR.key).address).toBe(VECTOR.from);
  expect(signerOf(Buffer.from(ID, 'hex'), Buffer.from(SIGNATURE, 'hex'))).toBe(VECTOR.from);
});

test('what a new key signs is its own, and any other byte is not', () => {
  const key = walletKey(newPrivateKey());
  const raw = rawTransfer({ ...VECTOR, from: key.address });
  const signature = key.sign(idOf(raw));
  const read = readTransaction(signedTransaction(raw, signature).toString('hex'));
  expect(read).toMatchObject({
    signer: key.address,
    owner: key.address,
    to: VECTOR.to,
    value: VECTOR.amount,
  });
  expect(read).toMatchObject({
    contract: VECTOR.contract,
    expiration: VECTOR.expiration,
    feeLimit: 50_000_000n,
  });
  const other = Buffer.from(raw);
  other.writeUInt8(other.readUInt8(200) ^ 1, 200);
  expect(signerOf(idOf(other), signature)).not.toBe(key.address);
});

test('a text that is no key is refused without being repeated', () => {
  for (const text of ['', 'zz'.repeat(32), '00'.repeat(32), 'ff'.repeat(32)])
    expect(() => walletKey(text)).toThrow('a private key is 64 hex digits');
});
