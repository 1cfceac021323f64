import { inflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import decodeQr from 'qr/decode.js';
import { pictureType, type PictureType } from '../platform/files/picture.ts';

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
  const problem = mime === 'image/png' ? pngProblem(bytes) : undefined;
  if (problem) return problem;
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

/**
 * Why a PNG must not be decoded. The decoder believes the last header there is, and unfolds the data of an interlaced one
 * whole, whatever its header says; so that is unfolded here first, up to what a picture of its size can need.
 */
function pngProblem(bytes: Buffer): PictureProblem | undefined {
  const [header, ...others] = pngChunks(bytes, 'IHDR');
  if (!header || header.length < 13 || others.length > 0) return 'notAPicture';
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (width * height > PIXELS_MAX) return 'tooLarge';
  const isInterlaced = header[12] !== 0;
  if (!isInterlaced) return undefined;
  // Eight bytes a pixel at most; its seven passes have under 2 (height + 7) rows, of two bytes more: a filter's and a part.
  const maxOutputLength = 8 * width * height + 4 * (height + 7);
  try {
    inflateSync(Buffer.concat(pngChunks(bytes, 'IDAT')), { maxOutputLength });
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'tooLarge' : 'notAPicture';
  }
}

/** Data of all chunks of a type, in their order: each is length, type, data and a checksum, after the eight first bytes. */
function pngChunks(bytes: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const data = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    if (bytes.toString('latin1', at + 4, at + 8) === type) found.push(data);
  }
  return found;
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
