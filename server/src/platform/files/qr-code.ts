import encodeQR from 'qr';
import sharp from 'sharp';

/** Pixels for one module; modules of white border that scanners need. */
const SCALE = 6;
const BORDER = 2;

/** A QR code of a text as a PNG file. */
export function qrPng(text: string): Promise<Buffer> {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', scale: SCALE, border: BORDER });
  const shades = Uint8Array.from(rows.flat(), (isDark) => (isDark ? 0 : 255));
  const raw = { width: rows.length, height: rows.length, channels: 1 } as const;
  return sharp(shades, { raw }).toColourspace('b-w').png().toBuffer();
}

/** The same QR code as a data: address. */
export async function qrDataUrl(text: string): Promise<string> {
  return `data:image/png;base64,${(await qrPng(text)).toString('base64')}`;
}
