import { create } from 'qrcode';
import { expect, test } from 'vitest';
import { crispWidth, drawQr } from './qr.ts';

test('the path covers exactly the dark modules', () => {
  const link = 'upi://pay?pa=ravi.kumar@okaxis&pn=Ravi%20Kumar&tr=SG7K2M9Q&tn=SG7K2M9Q&cu=INR&am=1000.37';
  const { data, size } = create(link, { errorCorrectionLevel: 'M' }).modules;
  const { side, path } = drawQr(link);
  const drawn = Array.from({ length: size * size }, () => 0);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    for (let step = 0; step < Number(length); step += 1)
      drawn[(Number(y) - 4) * size + Number(x) - 4 + step]! += 1;
  }
  expect(side).toBe(size + 8);
  expect(drawn).toEqual(Array.from(data, Number));
});

test('every module gets the same whole number of pixels', () => {
  expect(crispWidth(57, 264)).toBe(228);
  expect(crispWidth(66, 264)).toBe(264);
  expect(crispWidth(300, 264)).toBe(300);
});
