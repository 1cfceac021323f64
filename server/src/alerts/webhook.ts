import { createHmac } from 'node:crypto';
import { ALERTS } from '@sangam/contract/alerts.ts';
import { Agent, request } from 'undici';
import { alertText } from '../inbox/alert-text.ts';
import type { AlertWebhook } from '../platform/config.ts';
import { SECOND } from '../platform/clock.ts';
import { guardedLookup, type PrivateTargets, refusedTarget } from '../platform/net/target.ts';
import type { Platform } from '../platform/platform.ts';
import { type Delivery, deliverDue } from './outbox.ts';

const LIMIT = 10 * SECOND;

/** Sends one POST for all alerts that came together. Signed with HMAC-SHA-256 over the time, a dot and the body. */
export function callWebhook(platform: Platform): Promise<number> {
  const { alertWebhook, allowPrivateCallbacks } = platform.config;
  if (!alertWebhook) return Promise.resolve(0);
  return deliverDue(platform, 'webhook', (deliveries) =>
    post(alertWebhook, allowPrivateCallbacks, deliveries, platform.clock.now()),
  );
}

async function post(
  { url, secret }: AlertWebhook,
  allowPrivate: PrivateTargets,
  deliveries: readonly Delivery[],
  now: Date,
): Promise<void> {
  const refused = refusedTarget(url, allowPrivate);
  if (refused !== undefined) throw new Error(`ALERT_WEBHOOK_URL: ${refused}`);
  const body = JSON.stringify({ alerts: deliveries.map(shapeOf) });
  const at = String(Math.floor(now.getTime() / SECOND));
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  const agent = new Agent({ connect: { lookup: guardedLookup(allowPrivate), timeout: LIMIT } });
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-sangam-time': at,
        'x-sangam-signature': signature,
      },
      headersTimeout: LIMIT,
      bodyTimeout: LIMIT,
    });
    await answer.body.dump();
    if (answer.statusCode >= 300) throw new Error(`the webhook answered ${answer.statusCode}`);
  } finally {
    await agent.destroy();
  }
}

/** `id` stays the same when the alert is sent again. */
function shapeOf({ id, event, alert }: Delivery): object {
  return {
    id: String(id),
    event,
    alertId: String(alert.id),
    kind: alert.kind,
    severity: ALERTS[alert.kind].severity,
    subject: alert.subject,
    data: alert.data,
    text: alertText(alert, 'en-US'),
    openedAt: alert.openedAt.toISOString(),
    acknowledgedAt: alert.acknowledgedAt?.toISOString() ?? null,
    acknowledgedBy: alert.acknowledgedName,
    closedAt: alert.closedAt?.toISOString() ?? null,
  };
}
