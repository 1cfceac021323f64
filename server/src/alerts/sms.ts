import { Agent, request } from 'undici';
import { alertText } from '../inbox/alert-text.ts';
import { SECOND } from '../platform/clock.ts';
import { guardedLookup, type PrivateTargets, refusedTarget } from '../platform/net/target.ts';
import type { Platform } from '../platform/platform.ts';
import { openSetting } from '../platform/settings/secret.ts';
import { deliverDue } from './outbox.ts';

const LIMIT = 10 * SECOND;
const LONGEST = 300;

/** SendSmsMessageUrl: sends critical alerts to the phones on call, one message for all that came together. */
export async function sendSms(platform: Platform): Promise<number> {
  const template = await openSetting(platform, 'SendSmsMessageUrl');
  const phones = platform.config.alertPhones;
  if (template === '' || phones.length === 0) return 0;
  return deliverDue(platform, 'sms', async (deliveries) => {
    const [first] = deliveries;
    const more = deliveries.length > 1 ? ` (+${deliveries.length - 1})` : '';
    const text = `${alertText(first!.alert, 'en-US').slice(0, LONGEST)}${more}`;
    for (const phone of phones) await post(template, platform.config.allowPrivateCallbacks, phone, text);
  });
}

/** A POST with phone and text in both the URL and the body, because providers read one or the other. */
async function post(
  template: string,
  allowPrivate: PrivateTargets,
  phone: string,
  text: string,
): Promise<void> {
  const url = template
    .replaceAll('{phone}', encodeURIComponent(phone))
    .replaceAll('{text}', encodeURIComponent(text));
  const refused = refusedTarget(url, allowPrivate);
  if (refused !== undefined) throw new Error(`SendSmsMessageUrl: ${refused}`);
  const agent = new Agent({ connect: { lookup: guardedLookup(allowPrivate), timeout: LIMIT } });
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phone, text }),
      headersTimeout: LIMIT,
      bodyTimeout: LIMIT,
    });
    await answer.body.dump();
    if (answer.statusCode >= 300) throw new Error(`the SMS service answered ${answer.statusCode}`);
  } finally {
    await agent.destroy();
  }
}
