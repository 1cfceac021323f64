import { formatTime } from '@sangam/contract/time.ts';
import { maintenance } from './maintenance-mode.ts';
import type { Platform } from './platform.ts';
import { refuse, type Refusal } from './refusal.ts';

/** Why no new order is taken in now (1101): maintenance, with what people wrote about it, or the service is switched off. */
export async function serviceSuspended(platform: Platform): Promise<Refusal | undefined> {
  const on = await maintenance(platform).now();
  if (on) return refuse('serviceSuspended', {}, { texts: on.texts, until: formatTime(on.endsAt) });
  return (await platform.settings.all()).enableService ? undefined : refuse('serviceSuspended');
}
