import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { authorization, encrypt } from './encrypt.ts';

test('the example of RFC 8291 comes out as there', () => {
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  const body = encrypt(
    'When I grow up, I want to be a watermelon',
    {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    {
      privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
      salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    },
  );
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('a push service can tell who sends, to whom and until when', () => {
  const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const now = new Date('2026-11-26T12:00:00Z');
  const keys = { publicKey: 'public', privateKey };
  const header = authorization(keys, 'https://push.example.com/send/1', 'mailto:ops@example.com', now);
  const [, said, claims, signature, k] = /^vapid t=([\w-]+\.([\w-]+))\.([\w-]+), k=(\w+)$/.exec(header)!;
  expect(k).toBe('public');
  expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toEqual({
    aud: 'https://push.example.com',
    exp: now.getTime() / 1_000 + 12 * 3_600,
    sub: 'mailto:ops@example.com',
  });
  const { kty, crv, x, y } = privateKey as { kty: string; crv: string; x: string; y: string };
  const key = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
  const isGood = verify(
    'sha256',
    Buffer.from(said!),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature!, 'base64url'),
  );
  expect(isGood).toBe(true);
});
