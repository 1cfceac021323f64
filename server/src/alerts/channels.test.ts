import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import type { Config } from '../platform/config.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { storedOf } from '../platform/settings/secret.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { sendMails } from './mail.ts';
import { raiseAlert } from './raise.ts';
import { sendSms } from './sms.ts';
import { callWebhook } from './webhook.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from alert_deliveries`);
  await node.platform.db.query(sql`delete from alerts`);
  await node.platform.db.query(sql`delete from settings`);
  await node.platform.settings.refresh();
});
afterAll(() => node.close());

const withConfig = (change: Partial<Config>): Platform => ({
  ...node.platform,
  log: createLog('silent'),
  config: { ...node.platform.config, ...change },
});
const backup = { kind: 'backupOld', subject: 'backup', data: { hours: 30 } } as const;
const skew = { kind: 'clockSkew', subject: 'n', data: { node: 'n', seconds: 3 } } as const;

interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A web server that records its calls and answers with `status`. */
async function catcher(): Promise<{ url: string; calls: Call[]; status: number; server: Server }> {
  const caught = { url: '', calls: [] as Call[], status: 200, server: undefined as unknown as Server };
  caught.server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      caught.calls.push({ url: request.url!, headers: request.headers, body });
      response.writeHead(caught.status).end();
    });
  });
  await new Promise<void>((resolve) => caught.server.listen(0, '127.0.0.1', resolve));
  caught.url = `http://127.0.0.1:${(caught.server.address() as AddressInfo).port}`;
  return caught;
}

test('webhook: one signed call for alerts that came together, repeated after a failure, never to a private address', async () => {
  const caught = await catcher();
  const platform = withConfig({ alertWebhook: { url: `${caught.url}/hook`, secret: 'shared' } });
  await raiseAlert(platform, backup);
  await raiseAlert(platform, skew);
  caught.status = 500;
  expect(await callWebhook(platform)).toBe(0);
  caught.status = 200;
  expect(await callWebhook(platform)).toBe(0);
  node.clock.advance(MINUTE);
  expect(await callWebhook(platform)).toBe(2);
  expect(await callWebhook(platform)).toBe(0);
  const [first, second] = caught.calls;
  const { alerts } = JSON.parse(second!.body) as { alerts: { id: string; kind: string }[] };
  expect(alerts.map(({ kind }) => kind)).toEqual(['backupOld', 'clockSkew']);
  expect(JSON.parse(first!.body)).toEqual({ alerts });
  const time = String(second!.headers['x-sangam-time']);
  const signature = createHmac('sha256', 'shared').update(`${time}.${second!.body}`).digest('hex');
  expect(second!.headers['x-sangam-signature']).toBe(signature);
  await raiseAlert(platform, { ...skew, subject: 'm' });
  for (const host of ['127.0.0.1', 'localhost']) {
    const alertWebhook = { url: `${caught.url}/hook`.replace('127.0.0.1', host), secret: 'shared' };
    node.clock.advance(HOUR);
    expect(await callWebhook(withConfig({ alertWebhook, allowPrivateCallbacks: false }))).toBe(0);
    expect(caught.calls).toHaveLength(2);
  }
  node.clock.advance(HOUR);
  expect(await callWebhook(platform)).toBe(1);
  caught.server.close();
});

test('SMS: critical alerts alone, to each phone on call', async () => {
  const caught = await catcher();
  const platform = withConfig({ alertPhones: ['+919812345678', '+919812345679'] });
  await raiseAlert(platform, { ...backup, subject: 'before' });
  const template = storedOf(
    platform,
    'SendSmsMessageUrl',
    `${caught.url}/sms?key=hush&to={phone}&text={text}`,
  );
  await platform.settings.write('SendSmsMessageUrl', template as string, null);
  await raiseAlert(platform, backup);
  await raiseAlert(platform, skew);
  expect(await sendSms(platform)).toBe(1);
  expect(caught.calls.map(({ url }) => new URL(url, caught.url).searchParams.get('to'))).toEqual(
    platform.config.alertPhones,
  );
  expect(JSON.parse(caught.calls[0]!.body)).toEqual({
    phone: '+919812345678',
    text: 'The newest backup is 30 h old',
  });
  await raiseAlert(platform, { ...backup, subject: 'again' });
  const strict = { ...platform, config: { ...platform.config, allowPrivateCallbacks: false } };
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = `${caught.url.replace('127.0.0.1', host)}/sms?to={phone}`;
    await platform.settings.write(
      'SendSmsMessageUrl',
      storedOf(platform, 'SendSmsMessageUrl', url) as string,
      null,
    );
    node.clock.advance(HOUR);
    expect(await sendSms(strict)).toBe(0);
    expect(caught.calls).toHaveLength(2);
  }
  node.clock.advance(HOUR);
  expect(await sendSms(platform)).toBe(1);
  caught.server.close();
});

test('e-mail: one mail for alerts that came together', async () => {
  const mails: string[] = [];
  const smtp = await startSmtp(mails);
  const { port } = smtp.address() as AddressInfo;
  const alertMail = {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: 'sangam@example.com',
    to: ['desk@example.com'],
  };
  const platform = withConfig({ alertMail });
  await raiseAlert(platform, backup);
  await raiseAlert(platform, skew);
  expect(await sendMails(platform)).toBe(2);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain('Subject: [Critical] The newest backup is 30 h old (+1)');
  expect(mails[0]).toContain('The clock of n is 3 s away');
  smtp.close();
});

/** As much of SMTP as one mail needs. */
function startSmtp(mails: string[]): Promise<TcpServer> {
  const server = createTcpServer((socket) => {
    let inMail = false;
    let mail = '';
    socket.write('220 test\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      if (inMail) {
        mail += chunk.toString();
        if (!mail.endsWith('\r\n.\r\n')) return;
        mails.push(mail);
        inMail = false;
        socket.write('250 ok\r\n');
        return;
      }
      const line = chunk.toString().toUpperCase();
      if (line.startsWith('DATA')) {
        inMail = true;
        socket.write('354 go\r\n');
      } else if (line.startsWith('QUIT')) socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
