import { PNG } from 'pngjs';
import encodeQR from 'qr';

/** Pixels of one module, and modules of white that scanners need around the code. */
const SCALE = 6;
const BORDER = 2;

/** A QR code of a text as a PNG file. */
export function qrPng(text: string): Buffer {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', scale: SCALE, border: BORDER });
  const png = new PNG({ width: rows.length, height: rows.length });
  rows.flat().forEach((isDark, index) => png.data.fill(isDark ? 0 : 255, index * 4, index * 4 + 3));
  for (let alpha = 3; alpha < png.data.length; alpha += 4) png.data[alpha] = 255;
  return PNG.sync.write(png, { colorType: 0 });
}

/** The same as a data: address. */
export function qrDataUrl(text: string): string {
  return `data:image/png;base64,${qrPng(text).toString('base64')}`;
}
