import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import decodeQr from 'qr/decode.js';
import { pictureType, type PictureType } from '../files/picture.ts';

const BYTES_MAX = 512 * 1024;
/** Of a phone's screenshot; a small file may unfold to gigabytes. */
const PIXELS_MAX = 12_000_000;
const DECODE_MS = 2_000;

export interface QrPicture {
  readonly mime: PictureType;
  readonly bytes: Buffer;
  /** What the code says. */
  readonly content: string;
}

export type PictureProblem = 'tooLarge' | 'notAPicture' | 'noQrCode';

/** Reads an uploaded picture by what its bytes are, whatever its name said, and the QR code in it. */
export function readQrPicture(bytes: Buffer): QrPicture | PictureProblem {
  if (bytes.length > BYTES_MAX) return 'tooLarge';
  const mime = pictureType(bytes);
  if (!mime) return 'notAPicture';
  const size = mime === 'image/png' ? pngSize(bytes) : undefined;
  if (size && size.width * size.height > PIXELS_MAX) return 'tooLarge';
  let image: { readonly width: number; readonly height: number; readonly data: Uint8Array };
  try {
    image =
      mime === 'image/png'
        ? PNG.sync.read(bytes)
        : jpeg.decode(bytes, {
            useTArray: true,
            formatAsRGBA: true,
            maxResolutionInMP: PIXELS_MAX / 1_000_000,
            maxMemoryUsageInMB: 256,
          });
  } catch {
    return 'notAPicture';
  }
  try {
    return { mime, bytes, content: decodeQr(image, { timeLimit: DECODE_MS }) };
  } catch {
    return 'noQrCode';
  }
}

/** Width and height stand at a fixed place, in the header chunk every PNG begins with. */
function pngSize(bytes: Buffer): { width: number; height: number } | undefined {
  return bytes.length < 24 ? undefined : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Whether a QR code's content pays this account: its VPA in a UPI link, else its number somewhere in the text. */
export function pays(
  content: string,
  account: { readonly accountNumber: string; readonly vpa: string | null },
): boolean {
  const upi = /^upi:\/\/pay\?(.*)$/i.exec(content.trim());
  if (upi) {
    const payee = new URLSearchParams(upi[1]).get('pa');
    return account.vpa !== null && payee?.toLowerCase() === account.vpa.toLowerCase();
  }
  if (account.vpa !== null && content.toLowerCase().includes(account.vpa.toLowerCase())) return true;
  return content.includes(account.accountNumber);
}
