import { describe, expect, test } from 'vitest';
import { parseMasterKey, readConfig } from './config.ts';
import { ConfigError } from './environment.ts';

describe('readConfig', () => {
  test('an empty environment is a demo on the loopback address with the embedded database', () => {
    expect(readConfig({ PATH: '/bin' })).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      dataDir: `${process.cwd()}/data`,
      databaseUrl: undefined,
      databaseOwnerUrl: undefined,
      role: 'all',
      isProduction: false,
      masterKey: undefined,
      masterKeyOther: undefined,
      demo: true,
      preparedStatements: true,
      allowPrivateCallbacks: true,
      gatewayUrl: 'http://127.0.0.1:8099/v1',
      cashfreeUrl: 'http://127.0.0.1:8099/payout',
      tronUrl: 'http://127.0.0.1:8098',
      darajaUrl: 'http://127.0.0.1:8097',
      mpesaAddresses: [],
      demoScriptUrl: 'http://127.0.0.1:8095',
      tronApiKey: undefined,
      usdtContract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    });
  });

  test('passkeys are bound to a host of https, or to localhost; a demo has its own', () => {
    expect(readConfig({ PORT: '8123' }).consoleOrigin).toBe('http://localhost:8123');
    expect(readConfig({ DEMO: '0' }).consoleOrigin).toBeUndefined();
    for (const value of ['https://console.example.com', 'https://console.example.com:8443'])
      expect(readConfig({ CONSOLE_ORIGIN: value }).consoleOrigin).toBe(value);
    for (const value of [
      'console.example.com',
      'http://console.example.com',
      'https://10.0.0.1',
      'https://c.example/',
    ])
      expect(() => readConfig({ CONSOLE_ORIGIN: value })).toThrow(/^CONSOLE_ORIGIN is /);
  });

  test('a company sign-in is whole or absent', () => {
    const whole = {
      CONSOLE_ORIGIN: 'https://console.example.com',
      OIDC_ISSUER: 'https://id.example.com/realm',
      OIDC_CLIENT_ID: 'sangam',
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_ROLES: 'cn=desk,ou=pay=customerService, ops = admin',
    };
    expect(readConfig({}).companySignIn).toBeUndefined();
    expect(() => readConfig(whole)).toThrow(/^OIDC_ROLES is /);
    const { companySignIn } = readConfig({ ...whole, OIDC_ROLES: 'desk=customerService, ops = admin' });
    expect(companySignIn).toMatchObject({ name: 'id.example.com', groupsClaim: 'groups' });
    expect([...companySignIn!.roles]).toEqual([
      ['desk', 'customerService'],
      ['ops', 'admin'],
    ]);
    for (const name of ['CONSOLE_ORIGIN', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES'])
      expect(() => readConfig({ ...whole, DEMO: '0', OIDC_ROLES: 'ops=admin', [name]: '' })).toThrow(
        /^OIDC_ISSUER is set, so /,
      );
    expect(() => readConfig({ ...whole, OIDC_ISSUER: 'http://id.example.com' })).toThrow(/^OIDC_ISSUER is /);
  });

  test('production has neither the demo world nor callbacks to private addresses', () => {
    const config = readConfig({
      NODE_ENV: 'production',
      DATABASE_URL: 'postgresql://u:p@db.example:5432/sangam?sslmode=verify-full',
    });
    expect(config).toMatchObject({
      isProduction: true,
      demo: false,
      preparedStatements: true,
      allowPrivateCallbacks: false,
      gatewayUrl: 'https://api.razorpay.com/v1',
      cashfreeUrl: 'https://api.cashfree.com/payout',
      tronUrl: 'https://api.trongrid.io',
      darajaUrl: 'https://api.safaricom.co.ke',
      telegramUrl: 'https://api.telegram.org',
      mpesaAddresses: undefined,
      demoScriptUrl: 'http://127.0.0.1:8095',
      tronApiKey: undefined,
      usdtContract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      masterKey: undefined,
      masterKeyOther: undefined,
    });
  });

  test('takes the word that the proxy lets only M-Pesa through', () => {
    expect(readConfig({ NODE_ENV: 'production', MPESA_ADDRESSES: 'proxy' }).mpesaAddresses).toEqual([]);
  });

  test.each([
    [{}, 'demo'],
    [{ HOST: '::1' }, 'demo'],
    [{ DATABASE_URL: 'postgres://db/sangam?sslmode=verify-full' }, 'production'],
    [{ HOST: '0.0.0.0', TRUSTED_PROXIES: 'none' }, 'production'],
    [{ DATABASE_URL: 'postgres://db/sangam?sslmode=verify-full', DEMO: '0' }, 'production'],
    [{ DATABASE_URL: 'postgres://db/sangam?sslmode=verify-full', DEMO: '1' }, 'demo'],
    [{ HOST: '0.0.0.0', DEMO: '1' }, 'demo'],
    [{ NODE_ENV: 'production' }, 'production'],
    [{ NODE_ENV: 'development', DATABASE_URL: 'postgres://db/sangam?sslmode=verify-full' }, 'trial'],
    [{ DEMO: '0' }, 'trial'],
  ] as const)('%j is %s', (env, kind) => {
    const config = readConfig(env);
    const { demo, isProduction, allowPrivateCallbacks } = config;
    expect({ demo, isProduction, allowPrivateCallbacks }).toEqual({
      demo: kind === 'demo',
      isProduction: kind === 'production',
      allowPrivateCallbacks: kind === 'demo',
    });
    const { gatewayUrl, cashfreeUrl, tronUrl, darajaUrl, telegramUrl } = config;
    // A demo must reach simulators only. A production must not: simulators would take real keys and report money that did not move.
    for (const url of [gatewayUrl, cashfreeUrl, tronUrl, darajaUrl, telegramUrl])
      expect(url).toMatch(kind === 'demo' ? /^http:\/\/127\.0\.0\.1:80\d\d/ : /^https:\/\/api\.[a-z]+\./);
  });

  test('callbacks go to no private address, to those of the networks named, or to all', () => {
    const read = (value: string) => readConfig({ ALLOW_PRIVATE_CALLBACKS: value }).allowPrivateCallbacks;
    expect(['0', '1', '10.1.0.0/16, ::1'].map(read)).toEqual([false, true, ['10.1.0.0/16', '::1']]);
  });

  test('a forgotten NODE_ENV opens no node on the network', () => {
    expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow('TRUSTED_PROXIES must name the proxies');
  });

  test('everything can be set', () => {
    const config = readConfig({
      HOST: '0.0.0.0',
      TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::7',
      PORT: '0',
      DATA_DIR: '/var/lib/sangam',
      ARCHIVE_DIR: '/srv/archive',
      BACKUP_STAMP: '/srv/backup/done',
      DATABASE_URL: 'postgres://db/sangam?sslmode=verify-full',
      DATABASE_OWNER_URL: 'postgres://owner@db/sangam?sslmode=verify-full',
      ROLE: 'worker',
      MASTER_KEY: 'ab'.repeat(32),
      MASTER_KEY_OTHER: 'cd'.repeat(32),
      AUDIT_SIGNING_KEY: 'ef'.repeat(32),
      AUDIT_OLDER_KEYS: '12'.repeat(32),
      DEMO: '0',
      PREPARED_STATEMENTS: '0',
      ALLOW_PRIVATE_CALLBACKS: '1',
      GATEWAY_URL: 'http://127.0.0.1:9000/v1/',
      CASHFREE_URL: 'http://127.0.0.1:9000/payout',
      TRON_URL: 'https://nile.trongrid.io',
      TRON_API_KEY: 'key',
      MPESA_URL: 'https://sandbox.safaricom.co.ke',
      MPESA_ADDRESSES: '198.51.100.7, 203.0.113.0/24,2001:db8::/32',
      DEMO_SCRIPT_URL: 'http://127.0.0.1:9001/',
      TELEGRAM_API_ROOT: 'http://127.0.0.1:9002/',
      SMTP_URL: 'smtps://u:p@mail.example:465',
      ALERT_MAIL_TO: 'desk@example.com, night@example.com',
      ALERT_WEBHOOK_URL: 'https://hooks.example.com/alerts',
      ALERT_WEBHOOK_SECRET: 'shared',
      ALERT_SMS_TO: '+919812345678',
      TELEGRAM_WEBHOOK: '1',
      SIGNER_URL: 'http://127.0.0.1:8096/',
      SIGNER_SECRET: 'cd'.repeat(32),
    });
    expect(config).toEqual({
      host: '0.0.0.0',
      trustedProxies: ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '2001:db8::7'],
      port: 0,
      dataDir: '/var/lib/sangam',
      archiveDir: '/srv/archive',
      backupStamp: '/srv/backup/done',
      databaseUrl: 'postgres://db/sangam?sslmode=verify-full',
      databaseOwnerUrl: 'postgres://owner@db/sangam?sslmode=verify-full',
      role: 'worker',
      isProduction: true,
      accessLog: true,
      masterKey: Buffer.alloc(32, 0xab),
      masterKeyOther: Buffer.alloc(32, 0xcd),
      auditSigningKey: Buffer.alloc(32, 0xef),
      auditOlderKeys: ['12'.repeat(32)],
      demo: false,
      preparedStatements: false,
      allowPrivateCallbacks: true,
      gatewayUrl: 'http://127.0.0.1:9000/v1',
      cashfreeUrl: 'http://127.0.0.1:9000/payout',
      tronUrl: 'https://nile.trongrid.io',
      tronApiKey: 'key',
      usdtContract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      darajaUrl: 'https://sandbox.safaricom.co.ke',
      mpesaAddresses: ['198.51.100.7', '203.0.113.0/24', '2001:db8::/32'],
      demoScriptUrl: 'http://127.0.0.1:9001',
      telegramUrl: 'http://127.0.0.1:9002',
      telegramWebhook: true,
      alertPhones: ['+919812345678'],
      alertMail: {
        smtpUrl: 'smtps://u:p@mail.example:465',
        from: 'desk@example.com',
        to: ['desk@example.com', 'night@example.com'],
      },
      alertWebhook: { url: 'https://hooks.example.com/alerts', secret: 'shared' },
      signer: { url: 'http://127.0.0.1:8096', secret: Buffer.alloc(32, 0xcd) },
    });
  });

  test('an empty value counts as not set', () => {
    expect(readConfig({ PORT: '', DEMO: ' ', DATABASE_URL: '' })).toEqual(readConfig({}));
  });

  test.each([
    [{ PORT: '80a' }, 'PORT is "80a" but must be a whole number from 0 (any free port) to 65535.'],
    [{ PORT: '65536' }, 'PORT is "65536"'],
    [{ PORT: '-1' }, 'PORT is "-1"'],
    [{ HOST: 'http://x' }, 'HOST is "http://x" but must be an IP address or a host name'],
    [{ HOST: '300.1.1.1' }, 'HOST is "300.1.1.1"'],
    [{ GATEWAY_URL: 'http://api.example/v1' }, 'GATEWAY_URL is "http://api.example/v1" but must be an https'],
    [{ MPESA_ADDRESSES: '203.0.113.0/24, 300.1.1.1' }, 'MPESA_ADDRESSES is "203.0.113.0/24, 300.1.1.1"'],
    [{ ROLE: 'web' }, 'ROLE is "web" but must be one of api, worker, all.'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV is "prod" but must be one of development, production, test.'],
    [{ DEMO: 'yes' }, 'DEMO is "yes" but must be one of 0, 1.'],
    [
      { ALLOW_PRIVATE_CALLBACKS: 'true' },
      'ALLOW_PRIVATE_CALLBACKS is "true" but must be 0, 1, or IP addresses',
    ],
    [{ DEMO: '1', NODE_ENV: 'production' }, 'DEMO must be 0 or unset when NODE_ENV is production'],
    [{ DATABASE_URL: 'mysql://u:hunter2@db/x' }, 'DATABASE_URL must look like postgres://'],
    [{ DATABASE_URL: 'db' }, 'DATABASE_URL must look like postgres://'],
    [{ SMTP_URL: 'smtp://mail.example' }, 'SMTP_URL and ALERT_MAIL_TO must be set together'],
    [{ SMTP_URL: 'http://u:hunter2@mail', ALERT_MAIL_TO: 'a@b' }, 'SMTP_URL must look like smtps://'],
    [{ ALERT_WEBHOOK_URL: 'https://x.example' }, 'ALERT_WEBHOOK_URL and ALERT_WEBHOOK_SECRET'],
    [{ SIGNER_URL: 'http://127.0.0.1:8096' }, 'SIGNER_URL and SIGNER_SECRET must be set together'],
    [{ DATABASE_URL: 'postgres://u:hunter2@db/x' }, 'DATABASE_URL leads to another machine without TLS'],
    [{ DATABASE_URL: 'postgres://db/x?sslmode=prefer' }, 'DATABASE_URL leads to another machine'],
    [{ DATABASE_URL: 'postgres:///x?host=db' }, 'DATABASE_URL leads to another machine'],
    [
      { DATABASE_URL: 'postgres://127.0.0.1/x', DATABASE_OWNER_URL: 'postgres://10.0.0.7/x' },
      'DATABASE_OWNER_URL leads to another machine',
    ],
    [
      { SIGNER_URL: 'https://signer:8096', SIGNER_SECRET: '07'.repeat(32) },
      'SIGNER_CERTIFICATE must name the file',
    ],
    [
      {
        SIGNER_URL: 'https://signer:8096',
        SIGNER_SECRET: '07'.repeat(32),
        SIGNER_CERTIFICATE: '/nowhere/signer.crt',
      },
      'SIGNER_CERTIFICATE is "/nowhere/signer.crt" but must be a file that can be read',
    ],
    [{ MASTER_KEY: 'short' }, 'MASTER_KEY must be 32 random bytes written as 64 hex digits or as base64.'],
  ])('%j is refused with one sentence', (env, sentence) => {
    const refused = () => readConfig(env);
    expect(refused).toThrow(ConfigError);
    expect(refused).toThrow(sentence);
  });

  test.each([
    { DATABASE_URL: 'postgres://[::1]/x' },
    { DATABASE_URL: 'postgres://localhost/x' },
    { DATABASE_URL: 'postgres:///x?host=/run/postgresql' },
    { DATABASE_URL: 'postgres://db/x?sslmode=require' },
    { DATABASE_URL: 'postgres://db/x', DATABASE_WITHOUT_TLS: '1' },
    { DATABASE_URL: 'postgres://db/x', NODE_ENV: 'development' },
  ])('%j is let through: nobody listens on the way, or somebody has said so', (env) => {
    expect(readConfig(env).databaseUrl).toBe(env.DATABASE_URL);
  });

  test('a refusal never repeats a secret', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://u:hunter2@db/x' })).not.toThrow(/hunter2/);
    expect(() => readConfig({ MASTER_KEY: 'hunter2' })).not.toThrow(/hunter2/);
    expect(() => readConfig({ DATABASE_URL: 'postgres://u:hunter2@db/x' })).not.toThrow(/hunter2/);
  });
});

test('a master key may be hex, base64 or base64url', () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
  for (const text of [key.toString('hex'), key.toString('base64'), key.toString('base64url')]) {
    expect(parseMasterKey(text)).toEqual(key);
  }
  expect(parseMasterKey(Buffer.alloc(31).toString('base64'))).toBeUndefined();
  expect(parseMasterKey('')).toBeUndefined();
});
