import { formatTime } from '@sangam/contract/time.ts';
import { maintenance } from './maintenance-mode.ts';
import type { Platform } from './platform.ts';
import { refuse, type Refusal } from './refusal.ts';

/** The refusal (1101) when no new orders are accepted: maintenance with the operator's text, or the service is switched off. */
export async function serviceSuspended(platform: Platform): Promise<Refusal | undefined> {
  const on = await maintenance(platform).now();
  if (on) return refuse('serviceSuspended', {}, { texts: on.texts, until: formatTime(on.endsAt) });
  return (await platform.settings.all()).enableService ? undefined : refuse('serviceSuspended');
}
