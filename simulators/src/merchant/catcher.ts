import { type CaughtNotification, DEMO_CATCHER } from '@sangam/contract/demo-catcher.ts';
import type { Demo } from '../demo-file.ts';
import {
  type MerchantEndpoint,
  type ReceivedNotification,
  startMerchantEndpoint,
} from './merchant-endpoint.ts';

const KEPT = 50;
const REFRESH_S = 3;

/** Receives the callbacks of orders that a visitor of the demo makes, answers 'success', and shows what came. */
export function openCatcher(
  { merchants }: Pick<Demo, 'merchants'>,
  onCaught: (caught: CaughtNotification) => void,
): Promise<MerchantEndpoint> {
  return startMerchantEndpoint({
    merchants,
    react: () => ({ kind: 'success' }),
    port: Number(new URL(DEMO_CATCHER).port),
    page: catcherPage,
    onReceived: ({ acknowledged: _, reaction: __, ...caught }) => onCaught(caught),
    kept: KEPT,
  });
}

/** The HTML of the page, newest callback first. */
export function catcherPage(notifications: readonly ReceivedNotification[]): string {
  const rows = notifications
    .toReversed()
    .map(
      ({ mchOrderNo, attempt, signatureValid, fields }) => `<article><h2>${escaped(mchOrderNo)}</h2>
<p>Attempt ${attempt}. The signature is ${signatureValid ? 'right' : 'wrong'}.</p>
<pre>${escaped(JSON.stringify(fields, null, 2))}</pre></article>`,
    )
    .join('');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="${REFRESH_S}">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Notifications</title>
<style>body{font:15px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}pre{overflow:auto;padding:.75rem;border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-radius:.5rem}</style>
<h1>Notifications the demo's merchants got</h1>${rows === '' ? '<p>None yet.</p>' : rows}</html>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
