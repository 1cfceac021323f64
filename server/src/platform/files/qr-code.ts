import encodeQR from 'qr';
import sharp from 'sharp';

/** Pixels of one module, and modules of white that scanners need around the code. */
const SCALE = 6;
const BORDER = 2;

/** A QR code of a text as a PNG file. */
export function qrPng(text: string): Promise<Buffer> {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', scale: SCALE, border: BORDER });
  const shades = Uint8Array.from(rows.flat(), (isDark) => (isDark ? 0 : 255));
  const raw = { width: rows.length, height: rows.length, channels: 1 } as const;
  return sharp(shades, { raw }).toColourspace('b-w').png().toBuffer();
}

/** The same as a data: address. */
export async function qrDataUrl(text: string): Promise<string> {
  return `data:image/png;base64,${(await qrPng(text)).toString('base64')}`;
}
