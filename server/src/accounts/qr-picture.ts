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

/**
 * Whether a QR code's content pays this account: a UPI link whose one payee is its VPA, or its VPA or number and nothing
 * else. Wallets' codes are UPI links too; a TRON address or a short code stands alone. What only mentions the account
 * (a note, another scheme, a web page) may send the money anywhere.
 */
export function pays(
  content: string,
  account: { readonly accountNumber: string; readonly vpa: string | null },
): boolean {
  const text = content.trim();
  const query = /^upi:\/\/pay\?(.*)$/i.exec(text)?.[1];
  const payee = query === undefined ? text : payeeOf(query);
  if (account.vpa !== null && payee?.toLowerCase() === account.vpa.toLowerCase()) return true;
  return query === undefined && text === account.accountNumber;
}

/** Undefined where there is not exactly one, by any reading of an app: `;` may part fields, `PA` may be `pa`. */
function payeeOf(query: string): string | undefined {
  const fields = [...new URLSearchParams(query.replace(/[;?#]/g, '&'))];
  const payees = fields.filter(([name]) => name.trim().toLowerCase() === 'pa');
  return payees.length === 1 ? payees[0]![1] : undefined;
}
