import { type ApartFailure, workApart } from '../platform/apart.ts';
import { SECOND } from '../platform/clock.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { PictureProblem, QrPicture } from './qr-picture.ts';

const thread = new URL('./qr-thread.ts', import.meta.url);

/** A screenshot takes about one second, a large JPEG more. */
const reading = perPlatform(() =>
  workApart<Buffer, QrPicture | PictureProblem>(thread, { longest: 10 * SECOND, mostWaiting: 16 }),
);

/** Reads an uploaded picture in a thread of its own; 429 where too many wait. */
export async function readQrApart(
  platform: Platform,
  userId: bigint,
  bytes: Buffer,
): Promise<QrPicture | PictureProblem | Refusal> {
  const read = await reading(platform)(userId, bytes);
  if (read === 'tooMany') return refuse('tooMany');
  if (isFailure(read)) return read === 'tooLong' ? 'tooLarge' : 'notAPicture';
  return typeof read === 'string' ? read : { ...read, bytes };
}

const isFailure = (read: QrPicture | PictureProblem | ApartFailure): read is 'tooLong' | 'broken' =>
  read === 'tooLong' || read === 'broken';
