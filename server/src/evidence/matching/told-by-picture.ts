import { keepPicture } from '../../collection/pictures.ts';
import type { Actor } from '../../history/events.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { submitUtr } from './payer-utr.ts';

/** Keeps a screenshot of a payment. A UTR that came with it is treated as if the payer had typed it. */
export async function reportByPicture(
  platform: Platform,
  orderId: bigint,
  picture: { readonly bytes: Buffer; readonly utr: string | undefined },
  actor: Actor & { readonly kind: 'payer' | 'merchant' },
): Promise<{ readonly pictures: number } | Refusal> {
  const kept = await keepPicture(platform, orderId, picture.bytes, actor);
  if (isRefusal(kept) || picture.utr === undefined) return kept;
  const told = await submitUtr(platform, platform.vault.payToken(orderId), picture.utr, actor.ip ?? '');
  return isRefusal(told) ? told : kept;
}
