import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { pictureType, type PictureType } from '../platform/files/picture.ts';

const BYTES_MAX = 512 * 1024;
/** Enough for a phone's screenshot. A small file may decode to gigabytes. */
const PIXELS_MAX = 12_000_000;
const DECODE_MS = 2_000;

// Pictures of strangers reach only two of the readers of libvips.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });

export interface QrPicture {
  readonly mime: PictureType;
  readonly bytes: Buffer;
  /** The text of the code. */
  readonly content: string;
}

export type PictureProblem = 'tooLarge' | 'notAPicture' | 'noQrCode';

/** Reads an uploaded picture and the QR code in it. The bytes decide the type, not the file's name. */
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
 * Whether a QR code pays this account: a UPI link whose only payee is its VPA, or its VPA or number and nothing else. Codes of
 * wallets are UPI links too; a TRON address or a short code stands alone. Content that only mentions the account (a note,
 * another scheme, a web page) may send the money anywhere.
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

/** Undefined unless there is exactly one payee in any reading of an app: `;` may separate fields, `PA` may mean `pa`. */
function payeeOf(query: string): string | undefined {
  const fields = [...new URLSearchParams(query.replace(/[;?#]/g, '&'))];
  const payees = fields.filter(([name]) => name.trim().toLowerCase() === 'pa');
  return payees.length === 1 ? payees[0]![1] : undefined;
}
