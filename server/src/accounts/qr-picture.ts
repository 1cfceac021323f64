import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { pictureType, type PictureType } from '../platform/files/picture.ts';

const BYTES_MAX = 512 * 1024;
/** Of a phone's screenshot; a small file may unfold to gigabytes. */
const PIXELS_MAX = 12_000_000;
const DECODE_MS = 2_000;

// Strangers' pictures meet two readers of libvips and none of its other ones.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });

export interface QrPicture {
  readonly mime: PictureType;
  readonly bytes: Buffer;
  /** What the code says. */
  readonly content: string;
}

export type PictureProblem = 'tooLarge' | 'notAPicture' | 'noQrCode';

/** Reads an uploaded picture by what its bytes are, whatever its name said, and the QR code in it. */
export async function readQrPicture(bytes: Buffer): Promise<QrPicture | PictureProblem> {
  if (bytes.length > BYTES_MAX) return 'tooLarge';
  const mime = pictureType(bytes);
  if (!mime) return 'notAPicture';
  let image: { readonly width: number; readonly height: number; readonly data: Uint8Array };
  try {
    const picture = sharp(bytes, { failOn: 'error', limitInputPixels: false });
    const { width, height } = await picture.metadata();
    if (width * height > PIXELS_MAX) return 'tooLarge';
    image = { width, height, data: await picture.toColourspace('srgb').ensureAlpha().raw().toBuffer() };
  } catch {
    return 'notAPicture';
  }
  try {
    return { mime, bytes, content: decodeQr(image, { timeLimit: DECODE_MS }) };
  } catch {
    return 'noQrCode';
  }
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
