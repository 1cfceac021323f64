import type { CaughtNotification } from '@sangam/contract/demo-catcher.ts';
import type { getSandbox } from '@sangam/contract/endpoints/interface-test.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ownMerchant } from './own-merchant.ts';

const KEPT = 200;
const SHOWN = 20;

interface Caught extends CaughtNotification {
  readonly at: Date;
}

/** Notifications that the demo's merchant endpoints received. Undefined when no outside world runs beside this node. */
const caughtBy = perPlatform((): { list: Caught[] | undefined } => ({ list: undefined }));

/** Begins to keep the notifications that the demo's outside world reports as caught. */
export function keepCaught(platform: Platform): (caught: CaughtNotification) => void {
  const list: Caught[] = [];
  caughtBy(platform).list = list;
  return (caught) => {
    list.unshift({ ...caught, at: platform.clock.now() });
    list.length = Math.min(list.length, KEPT);
  };
}

/** What a merchant's sandbox needs. The demo's secrets protect nothing. Outside a demo the answer is 'not found'. */
export async function readSandbox(
  platform: Platform,
  viewer: Viewer,
): Promise<z.input<typeof getSandbox.output> | Refusal> {
  if (!platform.config.demo) return refuse('notFound');
  const merchant = await ownMerchant(platform, viewer);
  if (isRefusal(merchant)) return merchant;
  const { list } = caughtBy(platform);
  return {
    secret: merchant.secret,
    caught:
      list
        ?.filter(({ mchId }) => mchId === String(merchant.id))
        .slice(0, SHOWN)
        .map(({ mchId: _, at, ...caught }) => ({ ...caught, at: formatTime(at) })) ?? null,
  };
}
