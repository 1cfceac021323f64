import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { crispWidth, drawQr } from './qr.ts';

/** Paints the path black on white, with `scale` pixels per module. */
function paint({ side, path }: ReturnType<typeof drawQr>, scale = 4) {
  const width = side * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1)
      for (let column = Number(x) * scale; column < (Number(x) + Number(length)) * scale; column += 1)
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
  return { width, height: width, data };
}

test('a scanner reads the drawn code, whose quiet zone is white', () => {
  const link = 'upi://pay?pa=ravi.kumar@okaxis&pn=Ravi%20Kumar&tr=SG7K2M9Q&tn=SG7K2M9Q&cu=INR&am=1000.37';
  const drawn = drawQr(link);
  expect(decodeQR(paint(drawn))).toBe(link);
  for (const [, x, y, length] of drawn.path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    expect(Math.min(Number(x), Number(y))).toBeGreaterThanOrEqual(4);
    expect(Math.max(Number(x) + Number(length), Number(y) + 1)).toBeLessThanOrEqual(drawn.side - 4);
  }
});

test('every module gets the same whole number of pixels', () => {
  expect(crispWidth(57, 264)).toBe(228);
  expect(crispWidth(66, 264)).toBe(264);
  expect(crispWidth(300, 264)).toBe(300);
});
