import { randomBytes } from 'node:crypto';
import type { Config } from '../platform/config.ts';

/** The configuration of a node in a test or benchmark. The addresses of the outside world lead nowhere. */
export function configOf(databaseUrl: string): Config {
  return {
    host: '127.0.0.1',
    trustedProxies: ['127.0.0.0/8'],
    port: 0,
    consoleOrigin: 'https://console.example.com',
    companySignIn: undefined,
    dataDir: '/nowhere',
    archiveDir: '/nowhere/archive',
    backupStamp: undefined,
    databaseUrl,
    databaseOwnerUrl: undefined,
    role: 'all',
    isProduction: false,
    accessLog: false,
    masterKey: randomBytes(32),
    masterKeyOther: undefined,
    auditSigningKey: undefined,
    auditOlderKeys: [],
    demo: false,
    preparedStatements: true,
    allowPrivateCallbacks: true,
    gatewayUrl: 'http://127.0.0.1:9/v1',
    cashfreeUrl: 'http://127.0.0.1:9/payout',
    tronUrl: 'http://127.0.0.1:9',
    tronApiKey: undefined,
    usdtContract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    darajaUrl: 'http://127.0.0.1:9',
    mpesaAddresses: [],
    alertMail: undefined,
    alertWebhook: undefined,
    alertPhones: [],
    telegramUrl: 'http://127.0.0.1:9',
    telegramWebhook: false,
    demoScriptUrl: 'http://127.0.0.1:9',
    signer: undefined,
  };
}
